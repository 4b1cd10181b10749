import { parseArgs } from 'node:util';
import { runCrashes } from './alerts-crash-runs.ts';

// 200 kills at seeded points: the full run of docs/alerts.md, and the long form of alerts-crash.test.
const { values } = parseArgs({
  options: { points: { type: 'string', default: '200' }, seed: { type: 'string', default: '1' } },
});
const report = await runCrashes(Number(values.points), Number(values.seed));
console.log(
  `${report.killed} of ${report.points} points killed; slowest restart ${Math.round(report.slowestRestart)} ms`,
);
for (const wrong of report.wrong) console.error(wrong);
if (report.wrong.length > 0) process.exit(1);

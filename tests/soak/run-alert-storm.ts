import { parseArgs } from 'node:util';
import { runAlertStorm } from './alert-storm.ts';

// 20,000 alerts through a faulty provider: the full run of docs/alerts.md, and the long form of alerts-storm.test.
const { values } = parseArgs({
  options: {
    numbers: { type: 'string', default: '1000' },
    days: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    'without-webhooks': { type: 'boolean', default: false },
  },
});

const started = performance.now();
const report = await runAlertStorm({
  numbers: Number(values.numbers),
  days: Number(values.days),
  seed: Number(values.seed),
  webhooks: !values['without-webhooks'],
  timeoutMs: 300,
});
console.table(report);
console.log(`${Math.round((performance.now() - started) / 1_000)} s`);
const isUnknownCorrect = values['without-webhooks'] || report.unknown === report.unknownNotAccepted;
if (report.lost > 0 || report.twice > 0 || !isUnknownCorrect) process.exit(1);

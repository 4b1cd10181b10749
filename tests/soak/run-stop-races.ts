import { parseArgs } from 'node:util';
import { raceStops } from './stop-races.ts';

// 10,000 races of STOP against a send: what docs/alerts.md gives, and the long form of alerts-stop-races.test.
const { values } = parseArgs({
  options: { races: { type: 'string', default: '10000' }, seed: { type: 'string', default: '1' } },
});
const report = await raceStops(Number(values.races), Number(values.seed));
console.table(report);
if (report.late > 0) process.exit(1);

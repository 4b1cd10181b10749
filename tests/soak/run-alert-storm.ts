import { parseArgs } from 'node:util';
import { runAlertStorm } from './alert-storm.ts';

// 20,000 alerts through a provider that fails: what docs/alerts.md gives, and the long form of alerts-storm.test.
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
const isKnownRight = values['without-webhooks'] || report.unknown === report.unknownNotTaken;
if (report.lost > 0 || report.twice > 0 || !isKnownRight) process.exit(1);

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reportFiles } from './back-test/report.ts';
import { FOLDS_PER_YEAR, walkForward } from './back-test/walk-forward.ts';

// Back-tests the price analysis on a generated market, and writes a report:
//   npm run backtest -- [seed, default 1] [folder, default docs/backtest]
const seed = Number(process.argv[2] ?? 1);
const folder = process.argv[3] ?? 'docs/backtest';
if (!Number.isSafeInteger(seed) || seed < 0) {
  console.error(`The seed must be a whole number (got "${process.argv[2]}")`);
  process.exit(1);
}

const folds = walkForward(seed, {
  folds: FOLDS_PER_YEAR,
  onFold: (done) => console.log(`Fold ${done} of ${FOLDS_PER_YEAR}`),
});
mkdirSync(folder, { recursive: true });
for (const [name, text] of Object.entries(reportFiles(folds, seed))) writeFileSync(join(folder, name), text);
console.log(`Wrote ${join(folder, 'README.md')}`);

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reportFiles } from './back-test/report.ts';
import { FOLDS_PER_YEAR, walkForward } from './back-test/walk-forward.ts';

// Tries the price analysis on a sample market's past, and writes the page that says how it did:
//   npm run backtest -- [seed, 1 where left out] [folder, docs/backtest where left out]
const seed = Number(process.argv[2] ?? 1);
const folder = process.argv[3] ?? 'docs/backtest';
if (!Number.isSafeInteger(seed) || seed < 0) {
  console.error(`The seed is "${process.argv[2]}", and takes a whole number.`);
  process.exit(1);
}

const folds = walkForward(seed, {
  folds: FOLDS_PER_YEAR,
  onFold: (done) => console.log(`Fold ${done} of ${FOLDS_PER_YEAR}`),
});
mkdirSync(folder, { recursive: true });
for (const [name, text] of Object.entries(reportFiles(folds, seed))) writeFileSync(join(folder, name), text);
console.log(`The page is ${join(folder, 'README.md')}`);

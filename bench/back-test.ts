import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine } from '../server/lib/command-line.ts';
import { BACK_TEST_MARKETS } from './back-test/markets.ts';
import { reportFiles } from './back-test/report.ts';
import { walkForward } from './back-test/walk-forward.ts';

/** The number of folds for the sample, and for each other market. */
const FOLDS = 4;
const FOLDS_OF_OTHERS = 1;

const USAGE = `npm run backtest -- [seed, default 1] [folder, default docs/backtest]
  back-tests the price analysis on generated markets and writes a report`;

const { words } = commandLine(USAGE, { maxWords: 2 });
const seed = Number(words[0] ?? 1);
const folder = words[1] ?? 'docs/backtest';
if (!Number.isSafeInteger(seed) || seed < 0) {
  console.error(`The seed must be a whole number (got "${words[0]}")`);
  process.exit(1);
}

const results = BACK_TEST_MARKETS.map((market, nth) => {
  const folds = nth === 0 ? FOLDS : FOLDS_OF_OTHERS;
  const onFold = (done: number) => console.log(`${market.name}: fold ${done} of ${folds}`);
  return { market, judged: walkForward(market, { seed, folds, onFold }) };
});
mkdirSync(folder, { recursive: true });
for (const [name, text] of Object.entries(reportFiles(results, seed)))
  writeFileSync(join(folder, name), text);
console.log(`Wrote ${join(folder, 'README.md')}`);

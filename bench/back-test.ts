import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine } from '../server/lib/command-line.ts';
import { BACK_TEST_MARKETS } from './back-test/markets.ts';
import { reportFiles } from './back-test/report.ts';
import { waitingAfter } from './back-test/wait-policy.ts';
import { FOLDS_PER_YEAR, samplePanel, walkForward } from './back-test/walk-forward.ts';

/** The number of folds for markets other than the sample, spread over the year. */
const FOLDS_OF_OTHERS = 6;

const USAGE = `npm run backtest -- [seed, default 1] [folder, default docs/backtest]
  back-tests the price analysis on generated markets and writes a report`;

const { words } = commandLine(USAGE, { maxWords: 2 });
const seed = Number(words[0] ?? 1);
const folder = words[1] ?? 'docs/backtest';
if (!Number.isSafeInteger(seed) || seed < 0) {
  console.error(`The seed must be a whole number (got "${words[0]}")`);
  process.exit(1);
}

const panel = samplePanel(seed);
const results = BACK_TEST_MARKETS.map((market, nth) => {
  const folds = nth === 0 ? FOLDS_PER_YEAR : FOLDS_OF_OTHERS;
  const onFold = (done: number) => console.log(`${market.name}: fold ${done} of ${folds}`);
  return { market, folds: walkForward(panel, market, { seed, folds, onFold }) };
});
const waits = (results[0]?.folds ?? []).map(({ day }) => waitingAfter(panel, day, seed));
mkdirSync(folder, { recursive: true });
for (const [name, text] of Object.entries(reportFiles(results, waits, seed)))
  writeFileSync(join(folder, name), text);
console.log(`Wrote ${join(folder, 'README.md')}`);

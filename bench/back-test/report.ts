import { fromDayNumber } from '../../domain/calendar-date.ts';
import { type CalibrationBin, calibrationBins } from '../../server/price-history/model/drop-model.ts';
import { type Plot, plotSvg } from './plot.ts';
import type { WaitOutcome } from './wait-policy.ts';
import type { Fold } from './walk-forward.ts';

/** The files of a report by name. */
export type ReportFiles = Record<string, string>;

const CALIBRATION_BINS = 8;

/** The report of a back-test with its plots. */
export function reportFiles(folds: readonly Fold[], seed: number): ReportFiles {
  const bins = calibrationBins(
    folds.flatMap(({ predictions: told }) => told),
    CALIBRATION_BINS,
  );
  return {
    'README.md': page(folds, bins, seed),
    'coverage.svg': plotSvg(coveragePlot(folds)),
    'errors.svg': plotSvg(errorsPlot(folds)),
    'savings.svg': plotSvg(savingsPlot(folds)),
    'calibration.svg': plotSvg(calibrationPlot(bins)),
  };
}

function page(folds: readonly Fold[], bins: readonly CalibrationBin[], seed: number): string {
  const priced = sum(folds.map((fold) => fold.priced));
  const weighted = (of: (fold: Fold) => number) => sum(folds.map((fold) => of(fold) * fold.priced)) / priced;
  const wait = totals(folds.map((fold) => fold.wait));
  const baseRate = wait.drops / wait.searches;
  const precision = wait.waits === 0 ? 0 : wait.right / wait.waits;
  const each = (pence: number) => pounds(pence / wait.searches);
  return `A sample market proves the method, and not the market: every price below is invented, from seed ${seed}.

# Back-test of the price analysis

Walk-forward: ${folds.length} folds, four weeks apart, from ${fromDayNumber(folds[0]?.day ?? 0)}. Each learns only from what was known on its day, and is tried on the week after it. \`npm run backtest -- [seed] [folder]\` makes this page again, to the byte.

| What | Found | To measure against |
| --- | --- | --- |
| Prices inside the 80% range | ${percent(weighted((fold) => fold.coverage))} of ${priced} | 80% ± 2 |
| Median absolute error of the expected price | ${percent(weighted((fold) => fold.errors.model / 100))} | |
| … of the median of comparable packages | ${percent(weighted((fold) => fold.errors.comparable / 100))} | the model must be below it |
| … of last year's median | ${percent(weighted((fold) => fold.errors.lastYear / 100))} | the model must be below it |
| A drop of 5% within 7 days (base rate) | ${percent(baseRate)} of ${wait.searches} searches | Hamlet: 10% within a week, 18% |
| 'Always buy' is right | ${percent(1 - baseRate)} | Hamlet's market: 82% |
| Told to wait | ${percent(wait.waits / wait.searches)} of searches | |
| Precision of 'wait' | ${percent(precision)} | the base rate |
| Lift of 'wait' | ${(precision / baseRate).toFixed(2)} | 1 |
| Saved, averaged over all searches | ${each(wait.saved)}, ${percent(wait.saved / wait.spent)} | Hamlet: 4.4% |
| Of what hindsight would have saved (${each(wait.possible)}) | ${percent(wait.saved / wait.possible)} | Hamlet: 61.8% |

Hamlet is Etzioni, Knoblock, Tuchinda and Yates, "To Buy or Not to Buy", KDD 2003: flights on two routes, whose fares fell and rose further than these packages do.

## Is the range as wide as it says?

![Share of prices inside the 80% range, fold by fold](coverage.svg)

## Is the expected price nearer than a plain median?

![Median absolute error of the model, of comparable packages and of last year, fold by fold](errors.svg)

## Does the chance of a drop mean what it says?

![How often a drop came, by the chance that was told](calibration.svg)

| Told | Happened | Searches |
| --- | --- | --- |
${bins.map(({ predicted, happened, examples }) => `| ${percent(predicted)} | ${percent(happened)} | ${examples} |`).join('\n')}

## Does waiting pay?

![Pounds saved per search by waiting when told to, and by hindsight, fold by fold](savings.svg)

Who waits buys on the first day of a drop of 5%, or on the seventh day whatever it costs then. The chance from which on one waits is chosen on searches whose week was over before the fold began. Searches that are not told to wait save nothing and count.
`;
}

function coveragePlot(folds: readonly Fold[]): Plot {
  return {
    ...overFolds(folds),
    title: 'Prices inside the 80% range',
    yTitle: 'Share of prices',
    y: [0.6, 1],
    yTicks: [0.6, 0.7, 0.8, 0.9, 1].map((share) => [share, percent(share, 0)]),
    band: [0.78, 0.82],
    lines: [{ name: 'Inside', look: 0, points: folds.map(({ coverage }, index) => [index, coverage]) }],
  };
}

function errorsPlot(folds: readonly Fold[]): Plot {
  const most = Math.ceil(Math.max(...folds.flatMap(({ errors }) => Object.values(errors))) / 5) * 5;
  return {
    ...overFolds(folds),
    title: 'Median absolute error',
    yTitle: 'Percent of the price',
    y: [0, most],
    yTicks: ticks(most, 5).map((value) => [value, `${value}%`]),
    lines: [
      { name: 'Expected price', look: 0, points: folds.map(({ errors }, index) => [index, errors.model]) },
      {
        name: 'Comparable packages',
        look: 1,
        points: folds.map(({ errors }, index) => [index, errors.comparable]),
      },
      {
        name: "Last year's median",
        look: 2,
        points: folds.map(({ errors }, index) => [index, errors.lastYear]),
      },
    ],
  };
}

function savingsPlot(folds: readonly Fold[]): Plot {
  const each = ({ wait }: Fold, pence: number) => pence / wait.searches / 100;
  const possible = folds.map((fold) => each(fold, fold.wait.possible));
  const saved = folds.map((fold) => each(fold, fold.wait.saved));
  const most = Math.ceil(Math.max(...possible) / 20) * 20;
  const least = Math.min(0, Math.floor(Math.min(...saved) / 20) * 20);
  return {
    ...overFolds(folds),
    title: 'Saved per search, over all searches',
    yTitle: 'Pounds',
    y: [least, most],
    yTicks: ticks(most - least, 20).map((value) => [value + least, `£${value + least}`]),
    lines: [
      { name: 'Waiting when told to', look: 0, points: saved.map((value, index) => [index, value]) },
      { name: 'Hindsight', look: 1, points: possible.map((value, index) => [index, value]) },
    ],
  };
}

function calibrationPlot(bins: readonly CalibrationBin[]): Plot {
  const most = Math.ceil(Math.max(...bins.flatMap((bin) => [bin.predicted, bin.happened])) * 10) / 10;
  return {
    title: 'Chance of a drop: told and happened',
    xTitle: 'Told',
    yTitle: 'Happened',
    x: [0, most],
    y: [0, most],
    xTicks: ticks(most, 0.1).map((share) => [share, percent(share, 0)]),
    yTicks: ticks(most, 0.1).map((share) => [share, percent(share, 0)]),
    lines: [
      { name: 'Found', look: 0, points: bins.map(({ predicted, happened }) => [predicted, happened]) },
      {
        name: 'As it should be',
        look: 1,
        points: [
          [0, 0],
          [most, most],
        ],
      },
    ],
  };
}

function overFolds(folds: readonly Fold[]): Pick<Plot, 'x' | 'xTicks' | 'xTitle'> {
  return {
    x: [-0.3, folds.length - 0.7],
    xTicks: folds
      .map(({ day }, index) => [index, fromDayNumber(day).slice(0, 7)] as const)
      .filter(([at]) => at % 2 === 0),
    xTitle: 'The day on which the fold learned',
  };
}

function totals(outcomes: readonly WaitOutcome[]): WaitOutcome {
  return outcomes.reduce((all, one) => ({
    searches: all.searches + one.searches,
    waits: all.waits + one.waits,
    right: all.right + one.right,
    drops: all.drops + one.drops,
    saved: all.saved + one.saved,
    possible: all.possible + one.possible,
    spent: all.spent + one.spent,
  }));
}

function ticks(most: number, step: number): number[] {
  return Array.from(
    { length: Math.round(most / step) + 1 },
    (_, index) => Math.round(index * step * 100) / 100,
  );
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function percent(share: number, digits = 1): string {
  return `${(share * 100).toFixed(digits)}%`;
}

function pounds(pence: number): string {
  return `${pence < 0 ? '−' : ''}£${(Math.abs(pence) / 100).toFixed(2)}`;
}

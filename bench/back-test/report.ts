import { fromDayNumber } from '../../domain/calendar-date.ts';
import { COVERAGE } from '../../server/price-history/model/error-range.ts';
import type { BackTestMarket } from './markets.ts';
import { type Plot, plotSvg } from './plot.ts';
import type { VerdictOutcome } from './verdict-outcomes.ts';
import type { WaitOutcome } from './wait-policy.ts';
import type { Coverage, Fold } from './walk-forward.ts';

export type ReportFiles = Record<string, string>;

export interface MarketResult {
  market: BackTestMarket;
  folds: readonly Fold[];
}

/** The files of a back-test's report. The plots and the savings from waiting are for the first market. */
export function reportFiles(
  results: readonly MarketResult[],
  waits: readonly WaitOutcome[],
  seed: number,
): ReportFiles {
  const folds = results[0]?.folds ?? [];
  return {
    'README.md': page(results, folds, totals(waits), seed),
    'coverage.svg': plotSvg(coveragePlot(folds)),
    'errors.svg': plotSvg(errorsPlot(folds)),
  };
}

function page(
  results: readonly MarketResult[],
  folds: readonly Fold[],
  wait: WaitOutcome,
  seed: number,
): string {
  const baseRate = wait.drops / wait.searches;
  const precision = wait.waits === 0 ? 'never' : percent(wait.right / wait.waits);
  const each = (pence: number) => pounds(pence / wait.searches);
  return `A sample market tests the method, not the real market: every price below is invented (seed ${seed}).

# Back-test of the price analysis

The test walks forward through ${folds.length} folds, four weeks apart, starting on ${fromDayNumber(folds[0]?.day ?? 0)}. Each changed market has ${results.at(-1)?.folds.length} of them. Each fold is tested on the week after it. As in the product, the model is trained daily, on the 28 days before. \`npm run backtest -- [seed] [folder]\` regenerates this page, byte for byte.

## The markets

The sample's generator uses a formula close to the model's. The other markets break the model's assumptions.

| Market | Change | Median error of the expected price | … of the median of comparable packages | Ratio (target: 0.6 or less) |
| --- | --- | --- | --- | --- |
${results.map(errorsRow).join('\n')}

| Market | Inside the 80% range | By fold (target: 78 to 82%) | The cheapest ten of a search | By country (target: 75 to 85%) |
| --- | --- | --- | --- | --- |
${results.map(coverageRow).join('\n')}

By chance alone, the share for a fold (6,000 prices) has a standard deviation of 0.5 points, and the share for a country (600 prices) has one of 1.6 points.

![Share of prices inside the 80% range, fold by fold](coverage.svg)

![Median absolute error of the model, of comparable packages and of last year, fold by fold](errors.svg)

## What the verdicts were worth

On the first day of every third fold, the product judges ${Math.max(...folds.map(({ verdicts }) => verdicts.length))} packages that depart 40 to 67 days later. The table compares its verdicts with the prices a fortnight later: the shares that are dearer and cheaper by 2% or more, and the mean change. A Low is right if the price rose, a High if it fell. *Converted* packages are compared with prices of other parties.

${verdictTable(results)}

## Would waiting pay?

Hardly, so the product forecasts no drops. A logistic regression estimates the chance of a drop of 5% within seven days (\`bench/back-test/drop-model.ts\`). If the chance is above the threshold that saved most before the fold, a buyer waits until the drop or the seventh day. In brackets: Hamlet's figures (Etzioni, Knoblock, Tuchinda and Yates, KDD 2003), for flights on two routes.

- A drop of 5% within 7 days: ${percent(baseRate)} of ${wait.searches} searches (10%)
- Advised to wait: ${percent(wait.waits / wait.searches)} of searches
- 'Wait' was right: ${precision}
- Saved, averaged over all searches: ${each(wait.saved)}, ${percent(wait.saved / wait.spent)} (4.4%)
- Share of the saving possible with hindsight (${each(wait.possible)}): ${percent(wait.saved / wait.possible)} (61.8%)
`;
}

function errorsRow({ market, folds }: MarketResult): string {
  const mean = (of: (fold: Fold) => number) => sum(folds.map(of)) / folds.length;
  const model = mean(({ errors }) => errors.model);
  const comparable = mean(({ errors }) => errors.comparable);
  const ratio = model / comparable;
  return `| ${market.name} | ${market.change} | ${percent(model / 100)} | ${percent(comparable / 100)} | ${ratio.toFixed(2)}${ratio > 0.6 ? ', missed' : ''} |`;
}

function verdictTable(results: readonly MarketResult[]): string {
  const groups = results.map(({ market, folds }) => ({
    name: market.name,
    all: folds.flatMap(({ verdicts }) => verdicts),
  }));
  const parts = groups
    .slice(0, 1)
    .flatMap(({ name, all }) => [
      { name: `${name}: holidays`, all: all.filter(({ isHoliday }) => isHoliday) },
    ]);
  const rows = [...groups, ...parts].map(({ name, all }) => {
    const of = (kind: VerdictOutcome['kind']) => all.filter((one) => one.kind === kind);
    const share = (kind: VerdictOutcome['kind']) => percent(of(kind).length / all.length);
    const levels = (['low', 'typical', 'high'] as const).map((kind) => laterOf(of(kind)));
    return `| ${[name, all.length, share('low'), share('typical'), share('high'), share('none'), ...levels].join(' | ')} |`;
  });
  return `| Market | Packages | Low | Typical | High | None | Low: later dearer, cheaper, mean | Typical | High |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
${rows.join('\n')}`;
}

/** A price that changes by at least this share counts as dearer or cheaper. */
const NOTABLE_CHANGE = 0.02;

const MIN_OUTCOMES = 20;

function laterOf(some: readonly VerdictOutcome[]): string {
  if (some.length < MIN_OUTCOMES) return `only ${some.length}`;
  const dearer = some.filter(({ change }) => change >= NOTABLE_CHANGE).length / some.length;
  const cheaper = some.filter(({ change }) => change <= -NOTABLE_CHANGE).length / some.length;
  const mean = sum(some.map(({ change }) => change)) / some.length;
  return `${percent(dearer, 0)}, ${percent(cheaper, 0)}, ${mean < 0 ? '−' : '+'}${percent(Math.abs(mean))}`;
}

/** Countries with fewer tested prices are left out, because their figures are too noisy. */
const MIN_COUNTRY_PRICES = 600;

function coverageRow({ market, folds }: MarketResult): string {
  const byFold = folds.map(({ coverage }) => shareOf([coverage]));
  const countries = [...new Set(folds.flatMap((fold) => [...fold.countries.keys()]))]
    .map((country) => folds.flatMap((fold) => fold.countries.get(country) ?? []))
    .filter((some) => sum(some.map(({ priced }) => priced)) >= MIN_COUNTRY_PRICES)
    .map(shareOf);
  const range = (shares: readonly number[], by: number) => {
    const missed = shares.filter((share) => Math.abs(share - COVERAGE) > by).length;
    return `${percent(Math.min(...shares))} to ${percent(Math.max(...shares))}${missed > 0 ? `, ${missed} missed` : ''}`;
  };
  return `| ${[
    market.name,
    percent(shareOf(folds.map(({ coverage }) => coverage))),
    range(byFold, 0.02),
    percent(shareOf(folds.map(({ seenFirst }) => seenFirst))),
    range(countries, 0.05),
  ].join(' | ')} |`;
}

function shareOf(coverages: readonly Coverage[]): number {
  return sum(coverages.map(({ inside }) => inside)) / sum(coverages.map(({ priced }) => priced));
}

function coveragePlot(folds: readonly Fold[]): Plot {
  return {
    ...overFolds(folds),
    title: 'Prices inside the 80% range',
    yTitle: 'Share of prices',
    y: [0.6, 1],
    yTicks: [0.6, 0.7, 0.8, 0.9, 1].map((share) => [share, percent(share, 0)]),
    band: [0.78, 0.82],
    lines: [
      { name: 'Inside', look: 0, points: folds.map(({ coverage }, index) => [index, shareOf([coverage])]) },
    ],
  };
}

function errorsPlot(folds: readonly Fold[]): Plot {
  const max = Math.ceil(Math.max(...folds.flatMap(({ errors }) => Object.values(errors))) / 5) * 5;
  return {
    ...overFolds(folds),
    title: 'Median absolute error',
    yTitle: 'Percent of the price',
    y: [0, max],
    yTicks: ticks(max, 5).map((value) => [value, `${value}%`]),
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

function ticks(max: number, step: number): number[] {
  return Array.from(
    { length: Math.round(max / step) + 1 },
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

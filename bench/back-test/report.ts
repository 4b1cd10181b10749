import { type Advice, adviceFor, type WaitOutcome, waitLearner } from '../../domain/book-or-wait.ts';
import { fromDayNumber } from '../../domain/calendar-date.ts';
import { COVERAGE } from '../../server/price-history/model/error-range.ts';
import { clusteredMean } from './clustered-mean.ts';
import type { BackTestMarket } from './markets.ts';
import { type Plot, plotSvg } from './plot.ts';
import { FIRST_FOLD_DAY, type JudgedPrice } from './walk-forward.ts';

export type ReportFiles = Record<string, string>;

export interface MarketResult {
  market: BackTestMarket;
  judged: readonly JudgedPrice[];
}

/** The files of a back-test's report. The plot is of the first market. */
export function reportFiles(results: readonly MarketResult[], seed: number): ReportFiles {
  return {
    'README.md': page(results, seed),
    'coverage.svg': plotSvg(coveragePlot(results[0]?.judged ?? [])),
  };
}

function page(results: readonly MarketResult[], seed: number): string {
  const [sample = []] = results.map(({ judged }) => judged);
  return `A sample market tests the method, not the real market: every price below is invented (seed ${seed}).

# Back-test of the price analysis

The test walks forward through ${foldsOf(sample)} folds from ${fromDayNumber(FIRST_FOLD_DAY)}, spread over a year; each changed market has ${foldsOf(results.at(-1)?.judged ?? [])}. In each fold, a model is trained every day on the 28 days before, with the product's code, and judges packages of the following seven days that it has not learned from. They depart 7 to 240 days later, on the days from which the model learned. Half are random; the others are the first pages of random searches, by price and with one card per hotel. \`npm run backtest -- [seed] [folder]\` regenerates this page, byte for byte.

± is a standard error, clustered by hotel.

## The range

The sample's generator uses a formula close to the model's. The other markets break the model's assumptions.

| Market | Change | Median error of the expected price | Inside the range: random | First pages | By fold |
| --- | --- | --- | --- | --- | --- |
${results.map(rangeRow).join('\n')}

The target is ${percent(COVERAGE, 0)}. On ${results[0]?.market.name ?? ''}, by days from the verdict to the departure:

| 7 to 30 | 31 to 90 | 91 to 240 |
| --- | --- | --- |
| ${[
    [7, 30],
    [31, 90],
    [91, 240],
  ]
    .map(([from = 0, to = 0]) => inside(sample.filter(({ lead }) => lead >= from && lead <= to)))
    .join(' | ')} |

![Share of prices inside the range, fold by fold](coverage.svg)

## What the verdicts were worth

*Band* is the product's verdict. *Own* is a rule of one line: 10% or more below the package's own median is Low, above it High. After Low, Typical and High: the mean change of the price a fortnight later (or on the eve of the departure). A Low was right if the price rose, a High if it fell. The share that sold out before that day, and so has no later price, is in brackets. In this market half of the packages sell out, whatever their price.

${verdictTable(results)}

## Book or wait

The product's advice, learnt from the earlier folds of ${results[0]?.market.name ?? ''} only. Waiting a week saves the price minus that of a week later; a package that sells out meanwhile costs a tenth of its price.

${adviceTable(sample)}
`;
}

function rangeRow({ market, judged }: MarketResult): string {
  const random = judged.filter(({ isSeenFirst }) => !isSeenFirst);
  const byFold = [...Map.groupBy(judged, ({ fold }) => fold).values()].map(shareInside);
  return `| ${[
    market.name,
    market.change,
    percent(medianError(random)),
    inside(random),
    inside(judged.filter(({ isSeenFirst }) => isSeenFirst)),
    `${percent(Math.min(...byFold))} to ${percent(Math.max(...byFold))}`,
  ].join(' | ')} |`;
}

function inside(judged: readonly JudgedPrice[]): string {
  const { mean, error } = clusteredMean(
    judged.map(({ isInside, hotel }) => ({ value: isInside ? 1 : 0, cluster: hotel })),
  );
  return `${percent(mean)} ± ${percent(error)}`;
}

function shareInside(judged: readonly JudgedPrice[]): number {
  return judged.filter(({ isInside }) => isInside).length / judged.length;
}

const LEVELS = ['low', 'typical', 'high'] as const;

type Rule = 'verdict' | 'ownRule';

function verdictTable(results: readonly MarketResult[]): string {
  const groups = results.flatMap(({ market: { name }, judged }, nth) => [
    { name, judged },
    ...(nth > 0
      ? []
      : [{ name: `${name}: first pages`, judged: judged.filter(({ isSeenFirst }) => isSeenFirst) }]),
  ]);
  const rows = groups.flatMap(({ name, judged }) =>
    (['verdict', 'ownRule'] as const).map((rule) => {
      const of = (level: JudgedPrice[Rule]) => judged.filter((one) => one[rule] === level);
      const shares = [...LEVELS, 'none' as const].map((level) => percent(of(level).length / judged.length));
      const label = rule === 'verdict' ? 'Band' : 'Own';
      return `| ${[name, label, ...shares, ...LEVELS.map((level) => later(of(level)))].join(' | ')} |`;
    }),
  );
  return `| Market | Rule | Low | Typical | High | None | After Low | After Typical | After High |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
${rows.join('\n')}`;
}

/** Judges each fold's prices by what the folds before it have taught. */
function adviceTable(judged: readonly JudgedPrice[]): string {
  const learner = waitLearner();
  const advised: { advice: Advice | null; wait: WaitOutcome }[] = [];
  for (const fold of Map.groupBy(judged, (one) => one.fold).values()) {
    const records = learner.records();
    const waits = fold.flatMap(({ wait }) => wait ?? []);
    // Nothing comes before the first fold.
    if (Object.keys(records).length > 0)
      advised.push(...waits.map((wait) => ({ advice: adviceFor(records[wait.kind]), wait })));
    for (const wait of waits) learner.add(wait);
  }
  const rows = (['wait', 'book', 'none'] as const).map((advice) => {
    const of = advised.filter((one) => (one.advice ?? 'none') === advice);
    const label = { wait: 'Waiting a week has paid', book: 'Book', none: 'Nothing' }[advice];
    const share = percent(of.length / Math.max(1, advised.length));
    if (of.length < MIN_OUTCOMES) return `| ${label} | ${share} | only ${of.length} |`;
    const saved = of.map(({ wait }) => ({ value: wait.saved / 100, cluster: Number(wait.hotel) }));
    const { mean, error } = clusteredMean(saved);
    return `| ${label} | ${share} | ${mean < 0 ? '−' : ''}£${Math.abs(mean).toFixed(2)} ± ${error.toFixed(2)} |`;
  });
  return `| Advice | Share of prices | Saved by waiting a week |
| --- | --- | --- |
${rows.join('\n')}`;
}

const MIN_OUTCOMES = 20;

function later(judged: readonly JudgedPrice[]): string {
  const changes = judged.flatMap(({ change, hotel }) =>
    change === null ? [] : [{ value: change, cluster: hotel }],
  );
  if (changes.length < MIN_OUTCOMES) return `only ${changes.length}`;
  const { mean, error } = clusteredMean(changes);
  const soldOut = 1 - changes.length / judged.length;
  return `${mean < 0 ? '−' : '+'}${percent(Math.abs(mean))} ± ${percent(error)} (${percent(soldOut, 0)})`;
}

function foldsOf(judged: readonly JudgedPrice[]): number {
  return new Set(judged.map(({ fold }) => fold)).size;
}

function medianError(judged: readonly JudgedPrice[]): number {
  return (
    judged.map(({ error }) => error).toSorted((one, other) => one - other)[judged.length >> 1] ?? Number.NaN
  );
}

function coveragePlot(judged: readonly JudgedPrice[]): Plot {
  const folds = [...Map.groupBy(judged, ({ fold }) => fold).values()];
  const line = (name: string, look: 0 | 1, isSeenFirst: boolean) => ({
    name,
    look,
    points: folds.map(
      (some, index) => [index, shareInside(some.filter((one) => one.isSeenFirst === isSeenFirst))] as const,
    ),
  });
  return {
    x: [-0.3, folds.length - 0.7],
    xTicks: folds.map((_, index) => [index, String(index + 1)] as const),
    xTitle: 'Fold',
    title: 'Prices inside the range',
    yTitle: 'Share of prices',
    y: [0.6, 1],
    yTicks: [0.6, 0.7, 0.8, 0.9, 1].map((share) => [share, percent(share, 0)]),
    band: [0.78, 0.82],
    lines: [line('Random packages', 0, false), line('First pages', 1, true)],
  };
}

function percent(share: number, digits = 1): string {
  return `${(share * 100).toFixed(digits)}%`;
}

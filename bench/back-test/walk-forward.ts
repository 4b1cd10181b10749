import { firstDayOfMonth } from '../../domain/month.ts';
import { DROP_DAYS, dropFeatures } from '../../server/price-history/model/drop-features.ts';
import { dropExamples, fitDropModel } from '../../server/price-history/model/drop-model.ts';
import { expectedPrice, fitHedonicModel } from '../../server/price-history/model/hedonic-model.ts';
import { predictProbability } from '../../server/price-history/model/logistic-regression.ts';
import { seededRandom } from '../../server/sample/seeded-random.ts';
import { type Baselines, baselines } from './baselines.ts';
import { dailyPricesOf, marketPanel, type PanelPackage, randomSample } from './market-panel.ts';
import { bestThreshold, type Search, type WaitOutcome, waitOutcome } from './wait-policy.ts';

/** The results of one fold: trained on what was known on `day`, tested on the following week. */
export interface Fold {
  day: number;
  /** The share of prices inside the 80% range. */
  coverage: number;
  /** Medians of |expected - price| / price in percent, over the same packages. */
  errors: { model: number; comparable: number; lastYear: number };
  priced: number;
  wait: WaitOutcome;
  /** Predicted chances with their outcomes, for the calibration curve. */
  predictions: { chance: number; happened: boolean }[];
}

/** The first month of departures, in months since 1970-01: January 2026. */
const FIRST_MONTH = 56 * 12;
const MONTHS = 34;

/** One fold every four weeks of the second year. */
export const FOLDS_PER_YEAR = 13;
const FOLD_DAYS = 28;

/** The furthest departure that a search considers, so that the panel covers it. */
const MAX_DAYS_AHEAD = 240;
const HISTORY_DAYS = 90;

const SAMPLE_SIZES = { train: 12_000, test: 1_500, pasts: 2_500, searches: 2_500 };

/** Walk-forward validation over a year of a generated market: each fold trains on its past and tests on its future. */
export function walkForward(
  seed: number,
  { folds, onFold }: { folds: number; onFold(done: number): void },
): Fold[] {
  const panel = marketPanel(seed, FIRST_MONTH, MONTHS);
  const rules = baselines(panel);
  const start = firstDayOfMonth(FIRST_MONTH + 13);
  return Array.from({ length: folds }, (_, index) => {
    const fold = walkFold(seed, panel, rules, start + index * FOLD_DAYS);
    onFold(index + 1);
    return fold;
  });
}

function walkFold(seed: number, panel: readonly PanelPackage[], rules: Baselines, day: number): Fold {
  const onSale = panel.filter(
    ({ priced }) => priced.departureDay > day + 2 * DROP_DAYS && priced.departureDay < day + MAX_DAYS_AHEAD,
  );
  const shuffled = randomSample(onSale, SAMPLE_SIZES.train + SAMPLE_SIZES.test, seed, day);
  const soon = (index: number) => day + 1 + Math.floor(seededRandom(seed, day, index) * DROP_DAYS);
  const test = shuffled.slice(SAMPLE_SIZES.train).map((one, index) => ({ one, day: soon(index) }));
  return {
    day,
    ...priceErrors(shuffled.slice(0, SAMPLE_SIZES.train), test, rules, day, seed),
    ...waitingOutcome(shuffled, onSale, soon, day, seed),
  };
}

function priceErrors(
  train: readonly PanelPackage[],
  test: readonly { one: PanelPackage; day: number }[],
  rules: Baselines,
  day: number,
  seed: number,
): Pick<Fold, 'coverage' | 'errors' | 'priced'> {
  const model = fitHedonicModel(
    train.map((one, index) => {
      const pricedDay = day - Math.floor(seededRandom(seed, index, day) * FOLD_DAYS);
      return { priced: one.priced, pricedDay, price: one.priceOn(pricedDay) };
    }),
  );
  if (model === null) throw new Error('The panel is too small to train on');
  const tried = test.flatMap(({ one, day: seenDay }) => {
    const price = one.priceOn(seenDay);
    const comparable = rules.comparable(one, day);
    const lastYear = rules.lastYear(one, seenDay);
    if (comparable === null || lastYear === null) return [];
    const expected = expectedPrice(model, one.priced, seenDay);
    const errorOf = (estimate: number) => (Math.abs(estimate - price) / price) * 100;
    return [
      {
        inside: price >= expected.low && price <= expected.high,
        model: errorOf(expected.price),
        comparable: errorOf(comparable),
        lastYear: errorOf(lastYear),
      },
    ];
  });
  return {
    coverage: tried.filter(({ inside }) => inside).length / tried.length,
    errors: {
      model: upperMedian(tried.map((one) => one.model)),
      comparable: upperMedian(tried.map((one) => one.comparable)),
      lastYear: upperMedian(tried.map((one) => one.lastYear)),
    },
    priced: tried.length,
  };
}

function waitingOutcome(
  shuffled: readonly PanelPackage[],
  onSale: readonly PanelPackage[],
  soon: (index: number) => number,
  day: number,
  seed: number,
): Pick<Fold, 'wait' | 'predictions'> {
  const pasts = shuffled.slice(0, SAMPLE_SIZES.pasts).map((one) => ({
    departureDay: one.priced.departureDay,
    daily: dailyPricesOf(one, day - HISTORY_DAYS, day),
  }));
  const model = fitDropModel(
    pasts.flatMap((past) => dropExamples(past, 5)),
    DROP_DAYS,
  );
  if (model === null) throw new Error('The panel is too small to train on');
  const search = (one: PanelPackage, searchDay: number): Search[] => {
    const features = dropFeatures(
      dailyPricesOf(one, searchDay - HISTORY_DAYS, searchDay),
      one.priced.departureDay,
    );
    if (features === null) return [];
    const after = dailyPricesOf(one, searchDay + 1, searchDay + DROP_DAYS);
    return [{ price: one.priceOn(searchDay), after, chance: predictProbability(model.weights, features) }];
  };
  // The threshold is chosen on searches whose week is over; the test searches are later.
  const past = shuffled.slice(0, SAMPLE_SIZES.pasts).flatMap((one) => search(one, day - DROP_DAYS));
  const tried = randomSample(onSale, SAMPLE_SIZES.searches, seed, day + 1).flatMap((one, index) =>
    search(one, soon(index)),
  );
  return {
    wait: waitOutcome(tried, bestThreshold(past)),
    predictions: tried.map(({ chance, price, after }) => ({
      chance,
      happened: after.some((later) => later.price <= price * 0.95),
    })),
  };
}

function upperMedian(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

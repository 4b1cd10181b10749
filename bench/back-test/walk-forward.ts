import { firstDayOfMonth } from '../../domain/month.ts';
import {
  expectedPrice,
  fitHedonicModel,
  type HedonicModel,
} from '../../server/price-history/model/hedonic-model.ts';
import { seededRandom } from '../../server/sample/seeded-random.ts';
import { type Baselines, baselines } from './baselines.ts';
import { marketPanel, type PanelPackage, panelOf, randomSample } from './market-panel.ts';
import { type BackTestMarket, inMarket } from './markets.ts';
import { type VerdictOutcome, verdictOutcomes } from './verdict-outcomes.ts';

/** How many prices are inside the 80% range. */
export interface Coverage {
  inside: number;
  priced: number;
}

/** One fold: the week after `day`. Each of its days has a model trained on what was known before it. */
export interface Fold {
  day: number;
  /** Over random packages. */
  coverage: Coverage;
  /** Over the ten cheapest packages of each random search. */
  seenFirst: Coverage;
  /** Over random packages, by country. */
  countries: ReadonlyMap<number, Coverage>;
  /** Medians of |expected - price| / price in percent, all over the same packages. */
  errors: { model: number; comparable: number; lastYear: number };
  /** The verdicts on some of the packages, on the day after `day`. */
  verdicts: readonly VerdictOutcome[];
}

/** January 2026, in months since 1970-01. */
const FIRST_MONTH = 56 * 12;
const MONTHS = 34;

export const FIRST_FOLD_DAY = firstDayOfMonth(FIRST_MONTH + 13);

/** One fold every four weeks of the second year. */
export const FOLDS_PER_YEAR = 13;
const FOLD_DAYS = 28;

/** Each fold is tested on this many days. */
const TRIED_DAYS = 7;

/** How far ahead searches go. The panel must cover this. */
const MAX_DAYS_AHEAD = 240;

/** Verdicts are judged for departures on `JUDGED_DAYS` days, from `JUDGED_AHEAD` days after the fold. */
const JUDGED_DAYS = 28;
const JUDGED_AHEAD = 40;

/** Only every n-th fold judges verdicts, because daily packages are slow to generate. */
const JUDGED_EVERY = 3;

/** With 6,000 prices, the share inside an 80% range varies by 0.5 points by chance alone. */
const SAMPLE_SIZES = { train: 12_000, test: 6_000, verdicts: 1_500 };

/**
 * How many searches are made, and how many of their cheapest packages are tested: the first page by price.
 */
const LISTS = 150;
const LIST_SIZE = 10;

/** The generated packages of a seed, before a market changes them. */
export function samplePanel(seed: number): PanelPackage[] {
  return marketPanel(seed, FIRST_MONTH, MONTHS);
}

/** Walk-forward validation over a year of a market. Each fold trains on its past, and tests on its future. */
export function walkForward(
  panel: readonly PanelPackage[],
  market: BackTestMarket,
  { seed, folds, onFold }: { seed: number; folds: number; onFold(done: number): void },
): Fold[] {
  const every = Math.max(1, Math.floor(FOLDS_PER_YEAR / folds));
  return Array.from({ length: folds }, (_, index) => {
    const day = FIRST_FOLD_DAY + index * every * FOLD_DAYS;
    const priced = inMarket(panel, market, seed, day);
    const known = priced.filter((_, nth) => nth % market.seenEvery === 0);
    const nearby = index % JUDGED_EVERY === 0 ? judgedPanel(market, seed, day) : [];
    const fold = walkFold(seed, priced, { known, nearby }, day, market.seenEvery);
    onFold(index + 1);
    return fold;
  });
}

/** The packages whose verdicts are judged: daily departures over a few weeks. */
export function judgedPanel(market: BackTestMarket, seed: number, day: number): PanelPackage[] {
  const departures = Array.from({ length: JUDGED_DAYS }, (_, nth) => day + JUDGED_AHEAD + nth);
  const panel = inMarket(panelOf(seed, departures), market, seed, day);
  return panel.filter((_, nth) => nth % market.seenEvery === 0);
}

function walkFold(
  seed: number,
  panel: readonly PanelPackage[],
  { known, nearby }: { known: readonly PanelPackage[]; nearby: readonly PanelPackage[] },
  day: number,
  seenEvery: number,
): Fold {
  const onSale = onSaleFrom(panel, day);
  const shuffled = randomSample(onSale, SAMPLE_SIZES.train + SAMPLE_SIZES.test, seed, day);
  const train = shuffled.slice(0, Math.floor(SAMPLE_SIZES.train / seenEvery));
  const test = shuffled.slice(SAMPLE_SIZES.train).map((one, index) => ({
    one,
    day: day + 1 + Math.floor(seededRandom(seed, day, index) * TRIED_DAYS),
  }));
  return {
    day,
    ...priceErrors({
      train,
      test,
      lists: cheapestLists(onSale, day + 1, seed),
      nearby,
      rules: baselines(known),
      day,
      seed,
      seenEvery,
    }),
  };
}

/** The packages that depart at least a fortnight after `day`. */
export function onSaleFrom(panel: readonly PanelPackage[], day: number): PanelPackage[] {
  return panel.filter(
    ({ priced }) => priced.departureDay > day + 2 * TRIED_DAYS && priced.departureDay < day + MAX_DAYS_AHEAD,
  );
}

/** The cheapest packages of random searches by country, departure day, nights, airport and party. */
function cheapestLists(onSale: readonly PanelPackage[], day: number, seed: number): PanelPackage[] {
  const searches = Map.groupBy(onSale, ({ priced }) =>
    [priced.country, priced.departureDay, priced.nights, priced.airport, priced.party].join('/'),
  );
  const long = [...searches.values()].filter((found) => found.length > LIST_SIZE);
  return randomSample(long, LISTS, seed, day).flatMap((found) =>
    found.toSorted((one, other) => one.priceOn(day) - other.priceOn(day)).slice(0, LIST_SIZE),
  );
}

function priceErrors({
  train,
  test,
  lists,
  nearby,
  rules,
  day,
  seed,
  seenEvery,
}: {
  train: readonly PanelPackage[];
  test: readonly { one: PanelPackage; day: number }[];
  lists: readonly PanelPackage[];
  /** Daily packages of a few weeks, to be judged and compared. */
  nearby: readonly PanelPackage[];
  rules: Baselines;
  day: number;
  seed: number;
  seenEvery: number;
}): Pick<Fold, 'coverage' | 'seenFirst' | 'countries' | 'errors' | 'verdicts'> {
  const byDay = Map.groupBy(test, (one) => one.day);
  const tried = [...byDay].flatMap(([seenDay, some]) => {
    const model = trainedBefore(seenDay, { train, seed, seenEvery });
    return some.map(({ one }) => ({
      one,
      day: seenDay,
      estimate: expectedPrice(model, one.priced, seenDay),
    }));
  });
  const firstModel = trainedBefore(day + 1, { train, seed, seenEvery });
  const isInside = (price: number, { low, high }: { low: number; high: number }) =>
    low <= price && price <= high;
  const inside = tried.map(({ one, day: seenDay, estimate }) => ({
    country: one.priced.country,
    isInside: isInside(one.priceOn(seenDay), estimate),
  }));
  const errors = tried.flatMap(({ one, day: seenDay, estimate }) => {
    const price = one.priceOn(seenDay);
    const comparable = rules.comparable(one, seenDay - 1);
    const lastYear = rules.lastYear(one, seenDay);
    if (comparable === null || lastYear === null) return [];
    const errorOf = (estimated: number) => (Math.abs(estimated - price) / price) * 100;
    return [{ model: errorOf(estimate.price), comparable: errorOf(comparable), lastYear: errorOf(lastYear) }];
  });
  const judged = randomSample(nearby, SAMPLE_SIZES.verdicts, seed, day + 2);
  const verdicts = verdictOutcomes(judged, firstModel, day + 1);
  const byCountry = Map.groupBy(inside, ({ country }) => country);
  return {
    verdicts,
    coverage: coverageOf(inside.map((one) => one.isInside)),
    seenFirst: coverageOf(
      lists.map((one) => isInside(one.priceOn(day + 1), expectedPrice(firstModel, one.priced, day + 1))),
    ),
    countries: new Map(
      [...byCountry].map(([country, some]) => [country, coverageOf(some.map((one) => one.isInside))]),
    ),
    errors: {
      model: upperMedian(errors.map((one) => one.model)),
      comparable: upperMedian(errors.map((one) => one.comparable)),
      lastYear: upperMedian(errors.map((one) => one.lastYear)),
    },
  };
}

/** The model on the morning of `day`, trained on one price per package from the 28 days before. */
export function trainedBefore(
  day: number,
  { train, seed, seenEvery }: { train: readonly PanelPackage[]; seed: number; seenEvery: number },
): HedonicModel {
  const model = fitHedonicModel(
    train.map((one, index) => {
      const daysAgo = Math.floor(seededRandom(seed, index, day) * FOLD_DAYS);
      const pricedDay = day - 1 - (daysAgo - (daysAgo % seenEvery));
      return { priced: one.priced, pricedDay, price: one.priceOn(pricedDay) };
    }),
  );
  if (model === null) throw new Error('The panel is too small to train on');
  return model;
}

function coverageOf(inside: readonly boolean[]): Coverage {
  return { inside: inside.filter(Boolean).length, priced: inside.length };
}

function upperMedian(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

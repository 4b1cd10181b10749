import type { Pence } from '../../../domain/money.ts';
import { type ErrorRange, errorRange, errorRangeOf, type RangedError } from './error-range.ts';
import { type PricedPackage, TRAIT_PENALTIES, TRAITS, type Trait, traitLevels } from './price-traits.ts';
import { predictions, type SparseProblem, solveSparseRidge } from './sparse-ridge.ts';

/** An observed price and the package that it was for. */
export interface PricedExample {
  priced: PricedPackage;
  pricedDay: number;
  price: Pence;
}

/** Every n-th example is held out of a fit, to calibrate the range. */
const CALIBRATE_EVERY = 5;

/**
 * The newest days of prices, on which the range is calibrated. A model is trained every day: the last three days are most
 * like the next one. With a week, sales that come and go in the whole market widen or narrow the range too late.
 */
const CALIBRATION_DAYS = 3;

/** The age in days at which a price weighs half as much as one of the newest day. */
const HALF_LIFE_DAYS = 14;

const MIN_EXAMPLES = 100;

/** The days whose mean coefficient stands for later days: a shift of the market is learned in three days. */
const SHIFT_DAYS = 3;

/** From this median error on a day, as a natural logarithm, the whole market has shifted. */
const MARKET_SHIFT = 0.05;

/** Errors beyond this many median absolute errors are cut off in a second fit: slipped prices must not matter. */
const CUT_OFF = 5;

/**
 * A hedonic regression: the natural logarithm of the price per fare is a base plus one coefficient (`shares`) per trait
 * level.
 * Stored as JSON.
 */
export interface HedonicModel {
  base: number;
  shares: Record<Trait, Record<string, number>>;
  /** The mean coefficient of each trait over the packages that the model was fitted to. */
  means: Record<Trait, number>;
  /** The newest day of the prices. Later days are estimated with the mean coefficient of the last three days of prices. */
  newestDay: number;
  newestShare: number;
  /** The 80% range of the errors, in natural logarithms. */
  range: ErrorRange;
  /** The numbers of prices that it was fitted to and calibrated on. */
  fitted: number;
  calibrated: number;
}

type Fit = Omit<HedonicModel, 'range' | 'calibrated'>;

/** Fits and calibrates a model. The examples must be shuffled. Null for fewer than 100 examples. */
export function fitHedonicModel(examples: readonly PricedExample[]): HedonicModel | null {
  if (examples.length < MIN_EXAMPLES) return null;
  const errors = heldOutErrors(examples);
  return { ...fitRidge(examples), range: errorRange(errors), calibrated: errors.length };
}

/** The expected price with its 80% range, in pence. */
export function expectedPrice(
  model: HedonicModel,
  priced: PricedPackage,
  pricedDay: number,
): { price: Pence; low: Pence; high: Pence } {
  const log = logPrice(model, priced, pricedDay);
  const { below, above } = errorRangeOf(model.range, priced);
  return {
    price: Math.round(Math.exp(log)),
    low: Math.round(Math.exp(log - below)),
    high: Math.round(Math.exp(log + above)),
  };
}

/** The contribution of each trait to the logarithm of the price, relative to the trait's mean. */
export function traitContributions(
  model: HedonicModel,
  priced: PricedPackage,
  pricedDay: number,
): Record<Trait, number> {
  const levels = traitLevels(priced, pricedDay);
  return byTrait(
    (trait, index) => shareOf(model, trait, levels[index] ?? '', pricedDay) - model.means[trait],
  );
}

function logPrice(model: Fit, priced: PricedPackage, pricedDay: number): number {
  const levels = traitLevels(priced, pricedDay);
  return TRAITS.reduce(
    (sum, trait, index) => sum + shareOf(model, trait, levels[index] ?? '', pricedDay),
    model.base + Math.log(priced.fares),
  );
}

function shareOf(model: Fit, trait: Trait, level: string, pricedDay: number): number {
  if (trait === 'pricedDay' && pricedDay > model.newestDay) return model.newestShare;
  return model.shares[trait][level] ?? 0;
}

/**
 * The errors of prices that a fit did not know. Where the prices span some weeks, the fit knows only the days before
 * the newest ones, as an estimate knows only the past; a large shift of the whole market on a day is left out, because each
 * training learns it anew. Otherwise every fifth price is held out.
 */
function heldOutErrors(examples: readonly PricedExample[]): RangedError[] {
  const newest = newestDayOf(examples);
  const older = examples.filter(({ pricedDay }) => pricedDay <= newest - CALIBRATION_DAYS);
  const newer = examples.length - older.length;
  const isForward = older.length >= examples.length / 2 && newer >= examples.length / 10;
  const isHeldOut = (index: number) => index % CALIBRATE_EVERY === 0;
  const known = isForward ? older : examples.filter((_, index) => !isHeldOut(index));
  const heldOut = isForward
    ? examples.filter(({ pricedDay }) => pricedDay > newest - CALIBRATION_DAYS)
    : examples.filter((_, index) => isHeldOut(index));
  const fit = fitRidge(known);
  const errors = heldOut.map((example) => ({
    ...example,
    error: Math.log(example.price) - logPrice(fit, example.priced, example.pricedDay),
  }));
  if (!isForward) return errors;
  const shifts = new Map(
    [...Map.groupBy(errors, ({ pricedDay }) => pricedDay)].map(([day, some]) => [
      day,
      quantile(
        some.map(({ error }) => error),
        0.5,
      ),
    ]),
  );
  return errors.map((one) => {
    const shift = shifts.get(one.pricedDay) ?? 0;
    return { ...one, error: Math.abs(shift) < MARKET_SHIFT ? one.error : one.error - shift };
  });
}

function fitRidge(examples: readonly PricedExample[]): Fit {
  const newestDay = newestDayOf(examples);
  const columns = byTrait(() => new Map<string, number>());
  const perRow = TRAITS.length;
  const flat = new Int32Array(examples.length * perRow);
  const penalties: number[] = [];
  for (const [row, { priced, pricedDay }] of examples.entries()) {
    for (const [index, level] of traitLevels(priced, pricedDay).entries()) {
      const trait = TRAITS[index] ?? 'resort';
      let column = columns[trait].get(level);
      if (column === undefined) {
        column = penalties.push(TRAIT_PENALTIES[trait]) - 1;
        columns[trait].set(level, column);
      }
      flat[row * perRow + index] = column;
    }
  }
  const problem: SparseProblem = {
    columns: flat,
    perRow,
    size: penalties.length,
    penalties: Float64Array.from(penalties),
    weights: Float64Array.from(
      examples,
      ({ pricedDay }) => 0.5 ** ((newestDay - pricedDay) / HALF_LIFE_DAYS),
    ),
  };
  const logs = Float64Array.from(examples, ({ price, priced }) => Math.log(price / priced.fares));
  const base = quantile([...logs], 0.5);
  const targets = logs.map((log) => log - base);
  const first = solveSparseRidge(problem, targets);
  const coefficients = solveSparseRidge(
    problem,
    withoutOutliers(targets, predictions(problem, first)),
    first,
  );
  const counts = new Float64Array(problem.size);
  for (const column of flat) counts[column] = (counts[column] ?? 0) + 1;
  const meanOf = (trait: Trait) =>
    [...columns[trait].values()].reduce(
      (sum, column) => sum + ((counts[column] ?? 0) * (coefficients[column] ?? 0)) / examples.length,
      0,
    );
  return {
    base,
    shares: byTrait((trait) =>
      Object.fromEntries(
        [...columns[trait]].map(([level, column]) => [level, round(coefficients[column] ?? 0)]),
      ),
    ),
    means: byTrait(meanOf),
    newestDay,
    newestShare: newestShareOf(columns.pricedDay, counts, coefficients, newestDay),
    fitted: examples.length,
  };
}

/** The mean coefficient of the last days of prices, weighted by their numbers. */
function newestShareOf(
  columns: ReadonlyMap<string, number>,
  counts: Float64Array,
  coefficients: Float64Array,
  newestDay: number,
): number {
  const recent = [...columns].filter(([day]) => Number(day) > newestDay - SHIFT_DAYS);
  const total = recent.reduce((sum, [, column]) => sum + (counts[column] ?? 0), 0);
  return recent.reduce(
    (sum, [, column]) => sum + ((counts[column] ?? 0) / total) * (coefficients[column] ?? 0),
    0,
  );
}

/** The targets, moved towards their predictions where the error is absurd. */
function withoutOutliers(targets: Float64Array, predicted: Float64Array): Float64Array {
  const errors = targets.map((target, index) => target - (predicted[index] ?? 0));
  const limit = CUT_OFF * quantile(Array.from(errors, Math.abs), 0.5);
  return errors.map((error, index) => (predicted[index] ?? 0) + Math.max(-limit, Math.min(limit, error)));
}

function newestDayOf(examples: readonly PricedExample[]): number {
  return examples.reduce((newest, { pricedDay }) => Math.max(newest, pricedDay), 0);
}

function quantile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function byTrait<T>(make: (trait: Trait, index: number) => T): Record<Trait, T> {
  return Object.fromEntries(TRAITS.map((trait, index) => [trait, make(trait, index)])) as Record<Trait, T>;
}

/** Six decimals are precise enough, and keep the stored model small. */
function round(coefficient: number): number {
  return Math.round(coefficient * 1e6) / 1e6;
}

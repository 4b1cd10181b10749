import type { Pence } from '../../../domain/money.ts';
import { solveLinearSystem } from './cholesky.ts';
import { type PricedPackage, TRAITS, type Trait, traitLevels } from './price-traits.ts';

/** A price that was seen, with what a buyer saw. */
export interface PricedExample {
  priced: PricedPackage;
  pricedDay: number;
  price: Pence;
}

/** The share of prices that the range is made to hold. */
export const COVERAGE = 0.8;

/** One example in so many is kept from the fit, to calibrate the range by. */
const CALIBRATE_EVERY = 5;

/** Holds back a level that few packages have. */
const RIDGE = 2;

/**
 * A regression of the logarithm of the price on what a buyer sees: a base, and a share for each level of each
 * trait. All in natural logarithms; it is JSON, and is stored as such.
 */
export interface HedonicModel {
  base: number;
  shares: Record<Trait, Record<string, number>>;
  /** The mean share of each trait over the packages that the model was fitted to. */
  means: Record<Trait, number>;
  /** Of the 80% range, on both sides. */
  halfWidth: number;
  /** How many prices it was fitted to and calibrated on. */
  fitted: number;
  calibrated: number;
}

/** Fits and calibrates a model; the examples must be in no order. Null for fewer than a hundred of them. */
export function fitHedonicModel(examples: readonly PricedExample[]): HedonicModel | null {
  if (examples.length < 100) return null;
  const isHeldOut = (_: PricedExample, index: number) => index % CALIBRATE_EVERY === 0;
  const heldOut = examples.filter(isHeldOut);
  const model = fitShares(examples.filter((example, index) => !isHeldOut(example, index)));
  const misses = heldOut.map(({ priced, pricedDay, price }) =>
    Math.abs(Math.log(price) - logPrice(model, priced, pricedDay)),
  );
  return { ...model, halfWidth: conformalHalfWidth(misses, COVERAGE), calibrated: heldOut.length };
}

/**
 * How far to either side of a prediction a range must reach to hold the next value with a chance of at least
 * `coverage`: split conformal prediction, from the absolute misses on examples that the prediction was not
 * fitted to. Infinite where they are too few to tell.
 */
export function conformalHalfWidth(misses: readonly number[], coverage: number): number {
  const sorted = Float64Array.from(misses).sort();
  return sorted[Math.ceil((sorted.length + 1) * coverage) - 1] ?? Number.POSITIVE_INFINITY;
}

/** The price that the model expects, with its 80% range, in pence. */
export function expectedPrice(
  model: HedonicModel,
  priced: PricedPackage,
  pricedDay: number,
): { price: Pence; low: Pence; high: Pence } {
  const log = logPrice(model, priced, pricedDay);
  return {
    price: Math.round(Math.exp(log)),
    low: Math.round(Math.exp(log - model.halfWidth)),
    high: Math.round(Math.exp(log + model.halfWidth)),
  };
}

/** The share of each trait in the logarithm of the price, against the trait's mean. */
export function traitShares(
  model: HedonicModel,
  priced: PricedPackage,
  pricedDay: number,
): Record<Trait, number> {
  const levels = traitLevels(priced, pricedDay);
  return byTrait((trait, index) => (model.shares[trait][levels[index] ?? ''] ?? 0) - model.means[trait]);
}

function logPrice(model: HedonicModel, priced: PricedPackage, pricedDay: number): number {
  const levels = traitLevels(priced, pricedDay);
  return TRAITS.reduce(
    (sum, trait, index) => sum + (model.shares[trait][levels[index] ?? ''] ?? 0),
    model.base,
  );
}

function fitShares(examples: readonly PricedExample[]): HedonicModel {
  const places = byTrait(() => new Map<string, number>());
  let size = 0;
  const rows = examples.map(({ priced, pricedDay }) =>
    traitLevels(priced, pricedDay).map((level, index) => {
      const known = places[TRAITS[index] ?? 'resort'];
      const place = known.get(level) ?? size++;
      known.set(level, place);
      return place;
    }),
  );
  const base = examples.reduce((sum, { price }) => sum + Math.log(price), 0) / examples.length;
  const matrix = new Float64Array(size * size);
  const right = new Float64Array(size);
  const counts = new Float64Array(size);
  const add = (array: Float64Array, at: number, value: number) => {
    array[at] = (array[at] ?? 0) + value;
  };
  for (const [index, row] of rows.entries()) {
    const distance = Math.log(examples[index]?.price ?? 1) - base;
    for (const one of row) {
      add(right, one, distance);
      add(counts, one, 1);
      for (const other of row) if (other <= one) add(matrix, one * size + other, 1);
    }
  }
  for (let place = 0; place < size; place += 1) add(matrix, place * size + place, RIDGE);
  const shares = solveLinearSystem(matrix, right);
  const means = byTrait((trait) =>
    [...places[trait].values()].reduce(
      (sum, place) => sum + ((counts[place] ?? 0) * (shares[place] ?? 0)) / examples.length,
      0,
    ),
  );
  return {
    base,
    shares: byTrait((trait) =>
      Object.fromEntries([...places[trait]].map(([level, place]) => [level, round(shares[place] ?? 0)])),
    ),
    means,
    halfWidth: 0,
    fitted: examples.length,
    calibrated: 0,
  };
}

function byTrait<T>(make: (trait: Trait, index: number) => T): Record<Trait, T> {
  return Object.fromEntries(TRAITS.map((trait, index) => [trait, make(trait, index)])) as Record<Trait, T>;
}

/** A ten thousandth of a percent is enough of a share, and keeps the stored model short. */
function round(share: number): number {
  return Math.round(share * 1e6) / 1e6;
}

import type { Pence } from '../../../domain/money.ts';
import { solveByCholesky } from './cholesky.ts';
import { type PricedPackage, TRAITS, type Trait, traitLevels } from './price-traits.ts';

/** An observed price and the package that it was for. */
export interface PricedExample {
  priced: PricedPackage;
  pricedDay: number;
  price: Pence;
}

/** The share of prices that the range should contain. */
export const COVERAGE = 0.8;

/** Every n-th example is held out of the fit, to calibrate the range. */
const CALIBRATE_EVERY = 5;

/** L2 penalty; shrinks the coefficients of levels with few packages. */
const RIDGE_PENALTY = 2;

/**
 * A hedonic regression: the natural logarithm of the price is a base plus one coefficient (`shares`) per trait level.
 * Stored as JSON.
 */
export interface HedonicModel {
  base: number;
  shares: Record<Trait, Record<string, number>>;
  /** The mean coefficient of each trait over the packages that the model was fitted to. */
  means: Record<Trait, number>;
  /** Half the width of the 80% range, in natural logarithms. */
  halfWidth: number;
  /** The numbers of prices that it was fitted to and calibrated on. */
  fitted: number;
  calibrated: number;
}

/** Fits and calibrates a model. The examples must be shuffled. Null for fewer than 100 examples. */
export function fitHedonicModel(examples: readonly PricedExample[]): HedonicModel | null {
  if (examples.length < 100) return null;
  const isHeldOut = (_: PricedExample, index: number) => index % CALIBRATE_EVERY === 0;
  const heldOut = examples.filter(isHeldOut);
  const model = fitRidgeRegression(examples.filter((example, index) => !isHeldOut(example, index)));
  const errors = heldOut.map(({ priced, pricedDay, price }) =>
    Math.abs(Math.log(price) - logPrice(model, priced, pricedDay)),
  );
  return { ...model, halfWidth: conformalHalfWidth(errors, COVERAGE), calibrated: heldOut.length };
}

/**
 * The half-width of a prediction interval that contains the next value with a probability of at least `coverage`
 * (split conformal prediction). `errors` are absolute errors on held-out examples; infinite if there are too few.
 */
export function conformalHalfWidth(errors: readonly number[], coverage: number): number {
  const sorted = Float64Array.from(errors).sort();
  return sorted[Math.ceil((sorted.length + 1) * coverage) - 1] ?? Number.POSITIVE_INFINITY;
}

/** The expected price with its 80% range, in pence. */
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

/** The contribution of each trait to the logarithm of the price, relative to the trait's mean. */
export function traitContributions(
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

function fitRidgeRegression(examples: readonly PricedExample[]): HedonicModel {
  const columns = byTrait(() => new Map<string, number>());
  let size = 0;
  const rows = examples.map(({ priced, pricedDay }) =>
    traitLevels(priced, pricedDay).map((level, index) => {
      const columnOf = columns[TRAITS[index] ?? 'resort'];
      const column = columnOf.get(level) ?? size++;
      columnOf.set(level, column);
      return column;
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
    const residual = Math.log(examples[index]?.price ?? 1) - base;
    for (const one of row) {
      add(right, one, residual);
      add(counts, one, 1);
      for (const other of row) if (other <= one) add(matrix, one * size + other, 1);
    }
  }
  for (let column = 0; column < size; column += 1) add(matrix, column * size + column, RIDGE_PENALTY);
  const coefficients = solveByCholesky(matrix, right);
  const means = byTrait((trait) =>
    [...columns[trait].values()].reduce(
      (sum, column) => sum + ((counts[column] ?? 0) * (coefficients[column] ?? 0)) / examples.length,
      0,
    ),
  );
  return {
    base,
    shares: byTrait((trait) =>
      Object.fromEntries(
        [...columns[trait]].map(([level, column]) => [level, round(coefficients[column] ?? 0)]),
      ),
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

/** Six decimals are precise enough, and keep the stored model small. */
function round(coefficient: number): number {
  return Math.round(coefficient * 1e6) / 1e6;
}

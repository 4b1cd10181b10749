import { monthOfDay } from '../../../domain/month.ts';
import type { PricedPackage } from './price-traits.ts';

/** An estimate's error as a natural logarithm; positive if the price was higher than the estimate. */
export interface RangedError {
  priced: PricedPackage;
  price: number;
  error: number;
  /** The error's relative weight. */
  weight: number;
}

/** The shares of errors that the range leaves out on each side. */
export interface MissRates {
  below: number;
  above: number;
}

/** The range that contains the other errors, scaled by country and resort. Stored as JSON. */
export interface ErrorRange {
  /** How far the range extends below and above an estimate, in multiples of the scale. */
  below: number;
  above: number;
  /** Mean absolute errors: overall, by country (shrunk towards overall), by resort (towards its country). */
  scale: number;
  countries: Record<string, number>;
  resorts: Record<string, number>;
  rates: MissRates;
}

export const COVERAGE = 0.8;

export const NOMINAL_RATE = (1 - COVERAGE) / 2;

export const NOMINAL_RATES: MissRates = { below: NOMINAL_RATE, above: NOMINAL_RATE };

/**
 * Shrinkage: the overall scale counts as this many independent errors of a country, and a country's scale as
 * this many of a resort. Countries differ more than resorts.
 */
const PRIOR_OF_ALL = 6;
const PRIOR_OF_COUNTRY = 24;

/** How strongly errors of one hotel and departure month correlate: 0.17 in the back-test's sample. */
const CORRELATION = 0.2;

/** The cheapest share of a search's packages, and its weight: visitors see them first in sorted lists. */
const SEEN_FIRST_SHARE = 0.2;
const SEEN_FIRST_WEIGHT = 2;

/** Larger errors count as this many scales, so that a few extreme ones do not widen the scale. */
const MAX_SCALES = 4;

/** Calibrates the range on prices that the fit did not use (split conformal prediction, weighted). */
export function errorRange(errors: readonly RangedError[], rates = NOMINAL_RATES): ErrorRange {
  const rough = meanOf(errors, ({ error }) => Math.abs(error));
  const sizeOf = ({ error }: RangedError) => Math.min(Math.abs(error), MAX_SCALES * rough);
  const scale = meanOf(errors, sizeOf);
  const countries: Record<string, number> = {};
  const resorts: Record<string, number> = {};
  const shrunk = (some: readonly RangedError[], larger: number, prior: number) => {
    const count = effectiveCount(some);
    return (meanOf(some, sizeOf) * count + prior * larger) / (count + prior);
  };
  for (const [country, inCountry] of Map.groupBy(errors, ({ priced }) => priced.country)) {
    const ofCountry = shrunk(inCountry, scale, PRIOR_OF_ALL);
    countries[country] = round(ofCountry);
    for (const [resort, some] of Map.groupBy(inCountry, ({ priced }) => priced.resort)) {
      resorts[resort] = round(shrunk(some, ofCountry, PRIOR_OF_COUNTRY));
    }
  }
  const unscaled = { scale, countries, resorts };
  const weights = seenFirstWeights(errors);
  const scaled = errors
    .map((one, index) => ({
      value: one.error / scaleOf(unscaled, one.priced),
      weight: one.weight * (weights[index] ?? 1),
    }))
    .toSorted((one, other) => one.value - other.value);
  return {
    ...unscaled,
    rates,
    below: -weightedQuantile(scaled, rates.below),
    above: weightedQuantile(scaled, 1 - rates.above),
  };
}

/** How far the range extends below and above an estimate's logarithm. */
export function errorRangeOf(range: ErrorRange, priced: PricedPackage): { below: number; above: number } {
  const scale = scaleOf(range, priced);
  return { below: Math.max(0, range.below * scale), above: Math.max(0, range.above * scale) };
}

function scaleOf(
  { scale, countries, resorts }: Pick<ErrorRange, 'scale' | 'countries' | 'resorts'>,
  { country, resort }: PricedPackage,
): number {
  return resorts[resort] ?? countries[country] ?? scale;
}

/** Weights that favour the cheapest packages of the same country and nights. */
function seenFirstWeights(errors: readonly RangedError[]): number[] {
  const weights = errors.map(() => 1);
  const groups = Map.groupBy(errors.keys(), (index) => {
    const { country, nights } = errors[index]?.priced ?? { country: 0, nights: 0 };
    return `${country}/${nights}`;
  });
  for (const group of groups.values()) {
    const byPrice = group.toSorted((one, other) => (errors[one]?.price ?? 0) - (errors[other]?.price ?? 0));
    for (const index of byPrice.slice(0, Math.floor(byPrice.length * SEEN_FIRST_SHARE))) {
      weights[index] = SEEN_FIRST_WEIGHT;
    }
  }
  return weights;
}

function weightedQuantile(sorted: readonly { value: number; weight: number }[], share: number): number {
  const total = sorted.reduce((sum, { weight }) => sum + weight, 0);
  let reached = 0;
  for (const { value, weight } of sorted) {
    reached += weight;
    if (reached >= total * share) return value;
  }
  return sorted.at(-1)?.value ?? 0;
}

/**
 * How many independent errors would have the same variance of the mean: (Σw)² / Σ((1 − ρ)Σw² + ρ(Σw)²), where
 * the outer sum is over hotels and months. Kish, "Survey Sampling" (1965), design effects of weights and
 * clusters.
 */
export function effectiveCount(errors: readonly RangedError[]): number {
  const clusters = Map.groupBy(errors, ({ priced }) => `${priced.hotel}/${monthOfDay(priced.departureDay)}`);
  let [all, variance] = [0, 0];
  for (const cluster of clusters.values()) {
    const sum = cluster.reduce((total, { weight }) => total + weight, 0);
    const squares = cluster.reduce((total, { weight }) => total + weight ** 2, 0);
    all += sum;
    variance += (1 - CORRELATION) * squares + CORRELATION * sum ** 2;
  }
  return variance === 0 ? 0 : all ** 2 / variance;
}

function meanOf(errors: readonly RangedError[], sizeOfError: (error: RangedError) => number): number {
  let [sum, weights] = [0, 0];
  for (const error of errors) {
    sum += error.weight * sizeOfError(error);
    weights += error.weight;
  }
  return weights === 0 ? 0 : sum / weights;
}

function round(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

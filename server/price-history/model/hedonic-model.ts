import type { Pence } from '../../../domain/money.ts';
import { calibrate } from './calibration.ts';
import { type ErrorRange, errorRange, errorRangeOf, NOMINAL_RATES } from './error-range.ts';
import { type PricedExample, priceRows } from './price-fit.ts';
import {
  type PartyTrait,
  type PricedPackage,
  partyLevels,
  TRAITS,
  type Trait,
  traitLevels,
} from './price-traits.ts';

export type { PricedExample } from './price-fit.ts';

const MIN_EXAMPLES = 100;

/**
 * A hedonic regression: the logarithm of the price per fare is a base plus a coefficient (in `shares`) for
 * the package's level of each trait. Stored as JSON.
 */
export interface HedonicModel {
  base: number;
  shares: Record<Trait, Record<string, number>>;
  /** The range of the errors, in natural logarithms. */
  range: ErrorRange;
}

/** Fits and calibrates a model, whose range leaves out these shares; null for fewer than 100 examples. */
export function fitHedonicModel(
  examples: readonly PricedExample[],
  rates = NOMINAL_RATES,
): HedonicModel | null {
  if (examples.length < MIN_EXAMPLES) return null;
  const rows = priceRows(examples);
  const { errors, fit } = calibrate(rows);
  return {
    base: rows.base,
    shares: byTrait((trait) =>
      Object.fromEntries([...rows.levels[trait]].map(([level, column]) => [level, round(fit[column] ?? 0)])),
    ),
    range: errorRange(errors, rates),
  };
}

/** The expected price with the range that should hold four prices in five, in pence. */
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

type WhoTravels = Pick<PricedPackage, 'party' | 'room' | 'fares' | 'nights' | 'hotel'>;

/** One party's price relative to another's, each in its room; null if the fit did not include both. */
export function partyFactor(model: HedonicModel, one: WhoTravels, other: WhoTravels): number | null {
  const [share, otherShare] = [partyShare(model, one), partyShare(model, other)];
  return share === null || otherShare === null ? null : Math.exp(share - otherShare);
}

function partyShare({ shares }: HedonicModel, who: WhoTravels): number | null {
  if (shares.party[who.party] === undefined || shares.room[who.room] === undefined) return null;
  return Object.entries(partyLevels(who)).reduce(
    (sum, [trait, level]) => sum + (shares[trait as PartyTrait][level] ?? 0),
    Math.log(who.fares),
  );
}

function logPrice(model: HedonicModel, priced: PricedPackage, pricedDay: number): number {
  const levels = traitLevels(priced, pricedDay);
  return TRAITS.reduce(
    (sum, trait, index) => sum + (model.shares[trait][levels[index] ?? ''] ?? 0),
    model.base + Math.log(priced.fares),
  );
}

function byTrait<T>(make: (trait: Trait) => T): Record<Trait, T> {
  return Object.fromEntries(TRAITS.map((trait) => [trait, make(trait)])) as Record<Trait, T>;
}

/** Six decimals are precise enough, and make the stored model small. */
function round(coefficient: number): number {
  return Math.round(coefficient * 1e6) / 1e6;
}

import type { Pence } from './money.ts';

const MINUTES_A_DAY = 1440;

/** A package's price at an instant, in minutes since the epoch. */
export interface PriceObservation {
  seenAt: number;
  price: Pence;
}

/** The last price of a day. Days are UTC days since 1970-01-01. */
export interface DailyPrice {
  day: number;
  price: Pence;
}

/** Price movements before the first observation: natural logarithms, one a day, the last for `lastDay`. */
export interface PricePath {
  lastDay: number;
  levels: ArrayLike<number>;
}

/**
 * A package's price on each known day of the last `days` days up to `today`. An observed price holds until the next one.
 * Days before the first observation follow the path back from the first price; without a path they are unknown.
 */
export function dailyPrices(input: {
  /** In time order, including the current price; at least one. */
  observations: readonly PriceObservation[];
  path: PricePath | null;
  today: number;
  days: number;
}): DailyPrice[] {
  const { observations, path, today, days } = input;
  const [first] = observations;
  if (first === undefined) return [];
  const firstDay = dayOf(first);
  const known: DailyPrice[] = [];
  let next = 0;
  let price = first.price;
  for (let day = today - days + 1; day <= today; day += 1) {
    if (day < firstDay) {
      const before = path && priceBefore(path, first.price, firstDay, day);
      if (before !== null) known.push({ day, price: before });
      continue;
    }
    for (let seen = observations[next]; seen && dayOf(seen) <= day; seen = observations[++next]) {
      price = seen.price;
    }
    known.push({ day, price });
  }
  return known;
}

/** Differs from the first price by whole pounds, to keep the provider's price endings such as .99. */
function priceBefore(path: PricePath, firstPrice: Pence, firstDay: number, day: number): Pence | null {
  const start = path.lastDay - path.levels.length + 1;
  const level = path.levels[day - start];
  const levelAtFirst = path.levels[Math.min(firstDay, path.lastDay) - start];
  if (day > path.lastDay || level === undefined || levelAtFirst === undefined) return null;
  const ending = firstPrice % 100;
  const pounds = Math.round(((firstPrice - ending) / 100) * Math.exp(level - levelAtFirst));
  return Math.max(1, pounds) * 100 + ending;
}

function dayOf({ seenAt }: PriceObservation): number {
  return Math.floor(seenAt / MINUTES_A_DAY);
}

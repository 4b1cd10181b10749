import { londonDay } from './london-time.ts';
import type { Pence } from './money.ts';

/** A package's price at an instant, in minutes since the epoch. */
export interface PriceObservation {
  seenAt: number;
  price: Pence;
  /** True if the price is unchanged, but the package was missing on a day since the previous observation. */
  isAfterGap: boolean;
}

/** The last price of a day. Days are London's, counted from 1970-01-01. */
export interface DailyPrice {
  day: number;
  price: Pence;
}

/** How prices moved before the first observation: the logarithm of a price level for each day to `lastDay`. */
export interface PricePath {
  lastDay: number;
  levels: ArrayLike<number>;
}

/**
 * A package's price on each of the last `days` days on which it was seen. If two observations have the same
 * price and no gap between them, it was seen on every day between. Before the first observation, prices
 * follow the path, if there is one.
 */
export function dailyPrices(input: {
  /** In order of time, ending with the current price. At least one. */
  observations: readonly PriceObservation[];
  path: PricePath | null;
  today: number;
  days: number;
}): DailyPrice[] {
  const { observations, path, today, days } = input;
  const [first] = observations;
  if (first === undefined) return [];
  const start = today - days + 1;
  const known: DailyPrice[] = [];
  for (let day = start; day < dayOf(first); day += 1) {
    const price = path && priceBefore(path, first.price, dayOf(first), day);
    if (price !== null) known.push({ day, price });
  }
  const seen: DailyPrice[] = [];
  for (const [index, observation] of observations.entries()) {
    const day = dayOf(observation);
    const before = observations[index - 1];
    const isStanding = before !== undefined && before.price === observation.price && !observation.isAfterGap;
    const from = isStanding ? Math.max(dayOf(before) + 1, start) : day;
    for (let between = from; between < day; between += 1)
      seen.push({ day: between, price: observation.price });
    if (seen.at(-1)?.day === day) seen.pop();
    seen.push({ day, price: observation.price });
  }
  return [...known, ...seen.filter(({ day }) => day >= start && day <= today)];
}

/** Changes the first price by whole pounds only, to keep endings such as .99. */
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
  return londonDay(seenAt);
}

import type { Pence } from './money.ts';

const MINUTES_A_DAY = 1440;

/** What a package cost at an instant, in minutes since the epoch. */
export interface PriceObservation {
  seenAt: number;
  price: Pence;
}

/** What it cost on a day: the last price of that day. Days count from 1970-01-01 and are days in UTC. */
export interface DailyPrice {
  day: number;
  price: Pence;
}

/** How prices moved before they were observed: natural logarithms, one a day, the last of them for `lastDay`. */
export interface PricePath {
  lastDay: number;
  levels: ArrayLike<number>;
}

/**
 * A package's price on each day of the last `days` days on which it is known, `today` the last. An observed
 * price holds until the next one. Before the first observation the path, where there is one, leads back from
 * the first price; without one these days are not known.
 */
export function dailyPrices(input: {
  /** In the order of time, the price that holds now included; at least one. */
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

/** Whole pounds more or less than the first price, so that a provider's price endings stay what they are. */
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

import type { LeadTimeCurve } from './country-markets.ts';
import { onLeadTime } from './market-price.ts';
import { seeded } from './seeded-random.ts';

/** How long before its first day a month of departures goes on sale. */
const ON_SALE_DAYS = 540;

const MID_MONTH = 15;

/** On how many days out of one a hotel looks at its price again. */
const REPRICES = 1 / 6;

/** How much of its distance from the market a price keeps when it is looked at again. */
const MEMORY = 0.7;

/** One standard deviation of what it moves by then, as a natural logarithm. */
const MOVE = 0.035;

/** Offers for a while: in each stretch of days one may begin. */
const SALE_STRETCH = 24;
const SALE_CHANCE = 0.22;

/** The hotel and the month of departures that a path is of. */
export interface PathOwner {
  hotel: number;
  /** Days since 1970-01-01 of the month's first day. */
  monthStart: number;
  curve: LeadTimeCurve;
}

/**
 * How a hotel's prices for one month of departures moved, from one day to another: natural logarithms, one a
 * day, of which only differences mean something. Three things move them: the market's lead-time curve, prices
 * looked at again now and then, which go astray and come back, and offers that last some days. Invented, and
 * the same for every run with a seed.
 */
export function marketPath(seed: number, owner: PathOwner, firstDay: number, lastDay: number): number[] {
  const { hotel, monthStart, curve } = owner;
  const random = (day: number, salt: number) => seeded(seed, hotel, monthStart, day, salt);
  const levels: number[] = [];
  let astray = 0;
  let list: number | null = null;
  // Prices have a memory, so every path is walked from the day on which the month went on sale.
  for (let day = Math.min(firstDay, monthStart - ON_SALE_DAYS); day <= lastDay; day += 1) {
    if (list === null || random(day, 1) < REPRICES) {
      list = Math.log(onLeadTime(curve, Math.max(0, monthStart + MID_MONTH - day)));
      astray = MEMORY * astray + MOVE * bell(random(day, 2), random(day, 3));
    }
    if (day >= firstDay) levels.push(list + astray + onOffer(random, day));
  }
  return levels;
}

/** What an offer takes off on a day, or 0. */
function onOffer(random: (day: number, salt: number) => number, day: number): number {
  const stretch = Math.floor(day / SALE_STRETCH);
  if (random(stretch, 4) >= SALE_CHANCE) return 0;
  const length = 5 + Math.floor(random(stretch, 5) * 6);
  const start = stretch * SALE_STRETCH + Math.floor(random(stretch, 6) * (SALE_STRETCH - length));
  return day >= start && day < start + length ? -0.07 - 0.09 * random(stretch, 7) : 0;
}

/** A standard normal number from two numbers of 0 up to 1 (Box and Muller). */
function bell(one: number, other: number): number {
  return Math.sqrt(-2 * Math.log(1 - one)) * Math.cos(2 * Math.PI * other);
}

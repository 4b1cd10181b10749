import type { LeadTimeCurve } from './country-markets.ts';
import { leadTimePrice } from './market-price.ts';
import { seededRandom } from './seeded-random.ts';

/** How many days before its first day a month of departures goes on sale. */
const ON_SALE_DAYS = 540;

const MID_MONTH = 15;

/** The probability that a hotel reprices on a day. */
const REPRICE_PROBABILITY = 1 / 6;

/** The part of its deviation from the market that a repriced price keeps, as in an AR(1) process. */
const AUTOREGRESSION = 0.7;

/** The standard deviation of a repricing's random change, as a natural logarithm. */
const SHOCK_DEVIATION = 0.035;

/** At most one sale starts in each window of this many days. */
const SALE_WINDOW_DAYS = 24;
const SALE_PROBABILITY = 0.22;

/** The hotel and departure month of a path. */
export interface PathKey {
  hotel: number;
  /** The first day of the month, in days since 1970-01-01. */
  monthStart: number;
  curve: LeadTimeCurve;
}

/**
 * Simulates the price path of a hotel and departure month: a natural logarithm per day, of which only
 * differences matter. Combines the lead-time curve, mean-reverting repricing and short sales. The same seed
 * gives the same path.
 */
export function simulatePricePath(seed: number, key: PathKey, firstDay: number, lastDay: number): number[] {
  const { hotel, monthStart, curve } = key;
  const random = (day: number, salt: number) => seededRandom(seed, hotel, monthStart, day, salt);
  const levels: number[] = [];
  let deviation = 0;
  let listPrice: number | null = null;
  // A price depends on earlier ones, so every path starts on the day on which the month goes on sale.
  for (let day = Math.min(firstDay, monthStart - ON_SALE_DAYS); day <= lastDay; day += 1) {
    if (listPrice === null || random(day, 1) < REPRICE_PROBABILITY) {
      listPrice = Math.log(leadTimePrice(curve, Math.max(0, monthStart + MID_MONTH - day)));
      deviation =
        AUTOREGRESSION * deviation + SHOCK_DEVIATION * standardNormal(random(day, 2), random(day, 3));
    }
    if (day >= firstDay) levels.push(listPrice + deviation + saleDiscount(random, day));
  }
  return levels;
}

/** A sale's discount on a day as a natural logarithm, or 0. */
function saleDiscount(random: (day: number, salt: number) => number, day: number): number {
  const saleWindow = Math.floor(day / SALE_WINDOW_DAYS);
  if (random(saleWindow, 4) >= SALE_PROBABILITY) return 0;
  const length = 5 + Math.floor(random(saleWindow, 5) * 6);
  const start =
    saleWindow * SALE_WINDOW_DAYS + Math.floor(random(saleWindow, 6) * (SALE_WINDOW_DAYS - length));
  return day >= start && day < start + length ? -0.07 - 0.09 * random(saleWindow, 7) : 0;
}

/** A number from the standard normal distribution, made of two uniform ones (Box-Muller transform). */
function standardNormal(one: number, other: number): number {
  return Math.sqrt(-2 * Math.log(1 - one)) * Math.cos(2 * Math.PI * other);
}

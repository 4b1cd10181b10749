import { dayNumber } from '../../../domain/calendar-date.ts';
import { londonClock } from '../../../domain/london-time.ts';
import { packageHistoryReader } from '../../price-history/package-history.ts';
import type { AlertStore } from '../tables/alert-store.ts';
import type { PackageOnSale } from '../tables/package-lookup.ts';
import type { DropFacts } from '../texts/message-text.ts';

const DAYS = 30;

/** The lowest price of a package in the last 30 days, or in those for which there are prices; null without any. */
export function lowestPrice(
  { database }: AlertStore,
  { offer }: PackageOnSale,
  now: number,
): DropFacts['low'] {
  const today = dayNumber(londonClock(now).day);
  const recent = packageHistoryReader(database)(offer, today).daily.filter(({ day }) => day > today - DAYS);
  const [first] = recent;
  if (first === undefined) return null;
  return { price: Math.min(...recent.map(({ price }) => price)), days: today - first.day + 1 };
}

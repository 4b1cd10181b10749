import { dayNumber, todayInLondon } from '../../domain/calendar-date.ts';
import { monthOfDay } from '../../domain/month.ts';
import { departureMonths } from '../inventory/tables/fill-price-blocks.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';

/** No further month is started after this time. Half a million packages take about a second. */
const MAX_MS = 10_000;

/**
 * Inspects packages month by month from the current one, within a time limit. Months count from 1970-01.
 * Returns how far it got, such as '7 of 18 months compared'; null without packages.
 */
export function lookAtMonths(
  database: SqlDatabase,
  now: number,
  look: (month: number) => void,
): string | null {
  const range = departureMonths(database);
  if (range === null) return null;
  const until = performance.now() + MAX_MS;
  const first = Math.max(range.first, monthOfDay(dayNumber(todayInLondon(now))));
  let month = first;
  for (; month <= range.last && (month === first || performance.now() < until); month += 1) look(month);
  return `${month - first} of ${Math.max(range.last - first + 1, 0)} months compared`;
}

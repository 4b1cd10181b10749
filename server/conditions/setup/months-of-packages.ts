import { dayNumber, todayInLondon } from '../../../domain/calendar-date.ts';
import { monthOfDay } from '../../../domain/month.ts';
import { departureMonths } from '../../inventory/tables/fill-price-blocks.ts';
import type { SqlDatabase, SqlSession } from '../../storage/sql-database.ts';

/** No further month is started after this time. Half a million packages take about a second. */
const MAX_MS = 10_000;

/**
 * Looks for faults month by month, each in its own snapshot, from the current month until a time limit. Months count
 * from 1970-01. Returns the faults and how far it got ('7 of 18 months compared'); null if there are no packages.
 */
export async function lookAtMonths<T>(
  database: SqlDatabase,
  now: number,
  look: (tx: SqlSession, month: number) => Promise<T[]>,
): Promise<{ faults: T[]; compared: string } | null> {
  const range = await departureMonths(database);
  if (range === null) return null;
  const until = performance.now() + MAX_MS;
  const first = Math.max(range.first, monthOfDay(dayNumber(todayInLondon(now))));
  const faults: T[] = [];
  let month = first;
  for (; month <= range.last && (month === first || performance.now() < until); month += 1) {
    const inMonth = () => database.read((tx) => look(tx, month));
    // On Citus, part of a commit may be visible before the rest, so look again.
    if ((await inMonth()).length > 0) faults.push(...(await inMonth()));
  }
  return { faults, compared: `${month - first} of ${Math.max(range.last - first + 1, 0)} months compared` };
}

import { dayNumber, fromDayNumber, todayInLondon } from '../../domain/calendar-date.ts';
import { firstDayOfMonth, monthOfDay } from '../../domain/month.ts';
import { comparePriceBlocks } from '../inventory/tables/compare-price-blocks.ts';
import { departureMonths, FROM_MONTH } from '../inventory/tables/fill-price-blocks.ts';
import { inSnapshot } from '../storage/in-snapshot.ts';
import { readNote } from '../storage/notes.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import { bad, type Finding, ok } from './finding.ts';

/** A month takes about a second for half a million packages. No month is begun after so many milliseconds. */
const ENOUGH = 10_000;

/**
 * Compares the prices by day, which calendars and searches over weeks read, with the packages: the months from the
 * current one on, as many as there is time for. `now` is in milliseconds since 1970.
 */
export function checkPriceBlocks(database: SqlDatabase, now: number): Finding[] {
  const range = departureMonths(database);
  // Without packages there is nothing to compare; an upgrade that goes on has not written all of them.
  if (range === null || readNote(database, FROM_MONTH) !== null) return [];
  const until = performance.now() + ENOUGH;
  const wrong: string[] = [];
  let month = Math.max(range.first, monthOfDay(dayNumber(todayInLondon(now))));
  const first = month;
  for (; month <= range.last && (month === first || performance.now() < until); month += 1) {
    const compare = () => inSnapshot(database, () => comparePriceBlocks(database, month));
    // On Citus, an import that commits meanwhile may be read in part. It is not, when it is looked at again.
    const found = compare().wrong === 0 ? null : compare();
    if (found !== null && found.wrong > 0) {
      wrong.push(`${nameOfMonth(month)}: ${found.wrong} of ${found.blocks}`);
    }
  }
  const compared = `${month - first} of ${Math.max(range.last - first + 1, 0)} months compared`;
  if (wrong.length === 0) return [ok(`The prices by day are those of the packages (${compared}).`)];
  return [
    bad(
      `Prices by day are not those of the packages (${compared}): ${wrong.join('; ')}. Calendars and searches over weeks show them.`,
      'Run npm run prices:rebuild. It compares all months and writes wrong ones anew, with searches and imports going on.',
    ),
  ];
}

/** A month since 1970-01 as 2026-11. */
function nameOfMonth(month: number): string {
  return fromDayNumber(firstDayOfMonth(month)).slice(0, 7);
}

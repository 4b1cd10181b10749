import { fromDayNumber } from '../../domain/calendar-date.ts';
import { firstDayOfMonth } from '../../domain/month.ts';
import { BLOCKS_FROM_MONTH } from '../inventory/inventory-notes.ts';
import { comparePriceBlocks } from '../inventory/tables/compare-price-blocks.ts';
import { installedCommand } from '../lib/installed-command.ts';
import { readNote } from '../storage/notes.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import { bad, type Finding, ok } from './finding.ts';
import { lookAtMonths } from './months-of-packages.ts';

/**
 * Compares price blocks with packages, month by month from the current one, within a time limit. `now` is in
 * milliseconds since 1970.
 */
export async function checkPriceBlocks(database: SqlDatabase, now: number): Promise<Finding[]> {
  // While an upgrade is running, some months have no blocks.
  if ((await readNote(database, BLOCKS_FROM_MONTH)) !== null) return [];
  const looked = await lookAtMonths(database, now, async (month) => {
    const { wrong, blocks } = await comparePriceBlocks(database, month);
    return wrong === 0 ? [] : [`${nameOfMonth(month)}: ${wrong} of ${blocks}`];
  });
  if (looked === null) return [];
  const { faults, compared } = looked;
  if (faults.length === 0) return [ok(`The prices by day match the packages (${compared}).`)];
  return [
    bad(
      `Prices by day differ from the packages (${compared}): ${faults.join('; ')}. Calendars and searches over weeks show them.`,
      `Run ${installedCommand('prices:rebuild')}. It compares all months and rebuilds wrong ones while searches and imports continue.`,
    ),
  ];
}

/** Formats a month, which counts from 1970-01, such as 2026-11. */
function nameOfMonth(month: number): string {
  return fromDayNumber(firstDayOfMonth(month)).slice(0, 7);
}

import { hasGapSql, type KEY_COLUMNS, PRICE_SINCE } from '../offer-columns.ts';

/**
 * A run is a period in which an offer was seen every day at one price. The current run is in the offer's row,
 * from `price_since` to `seen_at`. When it ends, it becomes a row of the price history, before the offer's
 * row changes. An offer that is set back to another price of an older file, as by a rollback, was not seen then: its
 * next run begins when a later file has it. The same applies to an offer that was off sale and returns with a file that
 * was imported before.
 */

/**
 * The table for runs that have ended. Its columns are `keyColumns` of the offer, `seen_at`, `price`, `after_gap` and
 * `last_seen_at`. An offer gets a row when its price changes, when it returns after missing days, and when it
 * is removed.
 */
export interface PriceRunTable {
  table: string;
  keyColumns: readonly (typeof KEY_COLUMNS)[number][];
}

/** The `price_since` of an offer whose price is older than the history's last. */
export const SET_BACK = -1;

/** The SQL condition that seeing an offer ends its run: its price differs, a day is missing, or it began later. */
export function endsRunSql(now: string, before: string): string {
  return `(${now}.price <> ${before}.price or ${before}.${PRICE_SINCE} > ${now}.seen_at
    or ${hasGapSql(`${now}.seen_at`, `${before}.seen_at`)})`;
}

/** SQL for the new `price_since` of an offer that is already stored. */
export function priceSinceSql(now: string, before: string): string {
  const since = `${before}.${PRICE_SINCE}`;
  const endsRun = endsRunSql(now, before);
  return `case when ${now}.seen_at < ${before}.seen_at then case when ${endsRun} then ${SET_BACK} else ${since} end
    when ${since} = ${SET_BACK} or ${endsRun} then ${now}.seen_at else ${since} end`;
}

/**
 * SQL that adds offers' runs to the history; `from` is the end of the select, and ends with a condition. If `price_since` is unknown,
 * the history already has the run's beginning, so only the last sighting is added. Of two runs that begin in the
 * same minute, the later one stays.
 */
export function recordRunsSql(runs: PriceRunTable, from: string, offer = 'offer'): string {
  return `${addRunsSql(runs, from, offer)}
    on conflict (${runs.keyColumns.join(', ')}, seen_at)
      do update set price = excluded.price, last_seen_at = excluded.last_seen_at`;
}

/** As `recordRunsSql`, but it is an error if two runs begin in the same minute. */
export function addRunsSql({ table, keyColumns }: PriceRunTable, from: string, offer = 'offer'): string {
  const since = `${offer}.${PRICE_SINCE}`;
  const values = [
    ...keyColumns.map((column) => `${offer}.${column}`),
    `case when ${since} > 0 then ${since} else ${offer}.seen_at end`,
    `${offer}.price`,
    `case when ${since} > 0 then 1 else 0 end`,
    `${offer}.seen_at`,
  ];
  return `insert into ${table} (${keyColumns.join(', ')}, seen_at, price, after_gap, last_seen_at)
    select ${values.join(', ')} ${from} and ${since} <> ${SET_BACK}`;
}

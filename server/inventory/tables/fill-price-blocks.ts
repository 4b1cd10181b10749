import { monthOfDay } from '../../../domain/month.ts';
import { inTransaction } from '../../storage/in-transaction.ts';
import { readNote, removeNote, writeNote } from '../../storage/notes.ts';
import type { SqlDatabase } from '../../storage/sql-database.ts';
import { blockWriter } from './block-writer.ts';
import { blocksOfOffers } from './blocks-of-offers.ts';

/** The note with the first month that has no blocks yet, in a store that an earlier version filled. */
export const FROM_MONTH = 'price_blocks.from_month';

export interface FillProgress {
  month: number;
  months: number;
}

/**
 * Writes the price blocks of a store that an earlier version filled; does nothing in other stores. Each month
 * is a transaction, so that a restart can continue and other writers need not wait long.
 */
export function completePriceBlocks(
  database: SqlDatabase,
  onProgress: (progress: FillProgress) => void,
): void {
  const note = readNote(database, FROM_MONTH);
  if (note === null) return;
  const range = departureMonths(database);
  const from = range === null ? 0 : Math.max(Number(note), range.first);
  for (let month = from; range !== null && month <= range.last; month += 1) {
    inTransaction(
      database,
      () => {
        fillMonth(database, month);
        writeNote(database, FROM_MONTH, String(month + 1));
      },
      'price blocks',
    );
    onProgress({ month: month - range.first + 1, months: range.last - range.first + 1 });
  }
  inTransaction(database, () => removeNote(database, FROM_MONTH));
}

/** The months of the first and last departure, counted from 1970-01; null without offers. */
export function departureMonths(database: SqlDatabase): { first: number; last: number } | null {
  const [first, last] =
    database
      .prepare('select (select min(departure_day) from offer), (select max(departure_day) from offer)')
      .row() ?? [];
  if (typeof first !== 'number' || typeof last !== 'number') return null;
  return { first: monthOfDay(first), last: monthOfDay(last) };
}

/** Rewrites a month's blocks from one ordered scan of its offers, inside the caller's transaction. */
export function fillMonth(database: SqlDatabase, month: number): void {
  const writer = blockWriter(database);
  database.prepare('delete from price_block where month = ?').run(month);
  for (const [key, block] of blocksOfOffers(database, month)) writer.put(key, block);
  writer.flush();
}

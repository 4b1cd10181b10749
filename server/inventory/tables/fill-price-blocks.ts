import { monthOfDay } from '../../../domain/month.ts';
import { readNote, removeNote, writeNote } from '../../storage/notes.ts';
import type { SqlDatabase, SqlSession } from '../../storage/sql-database.ts';
import { BLOCKS_FROM_MONTH } from '../inventory-notes.ts';
import { blockWriter } from './block-writer.ts';
import { blocksOfOffers } from './blocks-of-offers.ts';
import { renewReferenceVersion } from './reference-tables.ts';

export interface FillProgress {
  month: number;
  months: number;
}

/**
 * Writes the price blocks of a store that an earlier version filled; does nothing in other stores. Each month
 * is a transaction, so that a restart can continue and other writers need not wait long.
 */
export async function completePriceBlocks(
  database: SqlDatabase,
  onProgress: (progress: FillProgress) => void,
): Promise<void> {
  const note = await readNote(database, BLOCKS_FROM_MONTH);
  if (note === null) return;
  const range = await departureMonths(database);
  const from = range === null ? 0 : Math.max(Number(note), range.first);
  for (let month = from; range !== null && month <= range.last; month += 1) {
    await database.write('price blocks', async (tx) => {
      await fillMonth(tx, month);
      await writeNote(tx, BLOCKS_FROM_MONTH, String(month + 1));
      // Tells searches that they can read the month.
      await renewReferenceVersion(tx);
    });
    onProgress({ month: month - range.first + 1, months: range.last - range.first + 1 });
  }
  await database.write('records', async (tx) => {
    await removeNote(tx, BLOCKS_FROM_MONTH);
    await renewReferenceVersion(tx);
  });
}

/** The months of the first and last departure, counted from 1970-01; null without offers. */
export async function departureMonths(
  database: SqlDatabase,
): Promise<{ first: number; last: number } | null> {
  const [first, last] =
    (await database
      .prepare('select (select min(departure_day) from offer), (select max(departure_day) from offer)')
      .row()) ?? [];
  if (typeof first !== 'number' || typeof last !== 'number') return null;
  return { first: monthOfDay(first), last: monthOfDay(last) };
}

/** Rewrites a month's blocks from one ordered scan of its offers, inside the caller's transaction. */
export async function fillMonth(tx: SqlSession, month: number): Promise<void> {
  const writer = await blockWriter(tx);
  await tx.prepare('delete from price_block where month = ?').run(month);
  for await (const [key, block] of blocksOfOffers(tx, month)) await writer.put(key, block);
  await writer.flush();
}

import { monthOfDay } from '../../../domain/month.ts';
import type { SqlDatabase, SqlSession } from '../../storage/sql-database.ts';
import { blockWriter } from './block-writer.ts';
import { blocksOfOffers } from './blocks-of-offers.ts';

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

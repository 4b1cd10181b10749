import type { SqlTransaction } from '../../storage/sql-database.ts';
import { PRICE_SINCE } from '../offer-columns.ts';
import { priceBlockTable } from './price-block-table.ts';
import type { PriceRunTable } from './price-runs.ts';
import { recordRunsSql } from './price-runs.ts';

/** Removes the offers that depart before `day`, in the caller's transaction. Records their prices in `runs`. */
export async function removeOffersBefore(
  tx: SqlTransaction,
  day: number,
  runs: PriceRunTable | null,
): Promise<void> {
  await tx.lock('price blocks');
  const departed = `from offer where departure_day < ? and ${PRICE_SINCE} > 0`;
  if (runs !== null) await tx.prepare(recordRunsSql(runs, departed)).run(day);
  const { changes } = await tx.prepare('delete from offer where departure_day < ?').run(day);
  if (changes > 0) await (await priceBlockTable(tx)).removeBefore(day);
}

/** Removes a provider's offers, in the caller's transaction; returns how many. Records their prices in `runs`. */
export async function removeOffersOf(
  tx: SqlTransaction,
  provider: number,
  runs: PriceRunTable,
): Promise<number> {
  await tx.lock('price blocks');
  await tx.prepare(recordRunsSql(runs, 'from offer where provider = ?')).run(provider);
  const { changes } = await tx.prepare('delete from offer where provider = ?').run(provider);
  if (changes > 0) await (await priceBlockTable(tx)).removeProvider(provider);
  return changes;
}

/** Removes every offer, in the caller's transaction. */
export async function removeAllOffers(tx: SqlTransaction): Promise<void> {
  await tx.lock('price blocks');
  await tx.exec('delete from offer');
  await (await priceBlockTable(tx)).clear();
}

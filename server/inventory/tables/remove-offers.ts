import type { SqlDatabase } from '../../storage/sql-database.ts';
import { PRICE_SINCE } from '../offer-columns.ts';
import type { PriceRunTable } from './offer-table.ts';
import { priceBlockTable } from './price-block-table.ts';
import { recordRunsSql } from './price-runs.ts';

/** Removes the offers that depart before `day`, in the caller's transaction. Records their prices in `runs`. */
export async function removeOffersBefore(
  database: SqlDatabase,
  day: number,
  runs: PriceRunTable | null,
): Promise<void> {
  await database.lock('price blocks');
  const departed = `from offer where departure_day < ? and ${PRICE_SINCE} > 0`;
  if (runs !== null) await database.prepare(recordRunsSql(runs, departed)).run(day);
  const { changes } = await database.prepare('delete from offer where departure_day < ?').run(day);
  if (changes > 0) await (await priceBlockTable(database)).removeBefore(day);
}

/** Removes a provider's offers, in the caller's transaction; returns how many. Records their prices in `runs`. */
export async function removeOffersOf(
  database: SqlDatabase,
  provider: number,
  runs: PriceRunTable,
): Promise<number> {
  await database.lock('price blocks');
  await database.prepare(recordRunsSql(runs, 'from offer where provider = ?')).run(provider);
  const { changes } = await database.prepare('delete from offer where provider = ?').run(provider);
  if (changes > 0) await (await priceBlockTable(database)).removeProvider(provider);
  return changes;
}

/** Removes every offer, in the caller's transaction. */
export async function removeAllOffers(database: SqlDatabase): Promise<void> {
  await database.lock('price blocks');
  await database.exec('delete from offer');
  await (await priceBlockTable(database)).clear();
}

import type { SqlDatabase } from '../../storage/sql-database.ts';
import { PRICE_SINCE } from '../offer-columns.ts';
import type { PriceRunTable } from './offer-table.ts';
import { priceBlockTable } from './price-block-table.ts';
import { recordRunsSql } from './price-runs.ts';

/** Removes the offers that depart before `day`, in the caller's transaction. Records their prices in `runs`. */
export function removeOffersBefore(database: SqlDatabase, day: number, runs: PriceRunTable | null): void {
  database.lock('price blocks');
  const departed = `from offer where departure_day < ? and ${PRICE_SINCE} > 0`;
  if (runs !== null) database.prepare(recordRunsSql(runs, departed)).run(day);
  const { changes } = database.prepare('delete from offer where departure_day < ?').run(day);
  if (changes > 0) priceBlockTable(database).removeBefore(day);
}

/** Removes a provider's offers, in the caller's transaction; returns how many. Records their prices in `runs`. */
export function removeOffersOf(database: SqlDatabase, provider: number, runs: PriceRunTable): number {
  database.lock('price blocks');
  database.prepare(recordRunsSql(runs, 'from offer where provider = ?')).run(provider);
  const { changes } = database.prepare('delete from offer where provider = ?').run(provider);
  if (changes > 0) priceBlockTable(database).removeProvider(provider);
  return changes;
}

/** Removes every offer, in the caller's transaction. */
export function removeAllOffers(database: SqlDatabase): void {
  database.lock('price blocks');
  database.exec('delete from offer');
  priceBlockTable(database).clear();
}

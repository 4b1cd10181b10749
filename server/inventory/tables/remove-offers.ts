import type { SqlDatabase } from '../../storage/sql-database.ts';
import { priceBlockTable } from './price-block-table.ts';

/** Removes every offer that departs before `day`, inside the caller's transaction. */
export function removeOffersBefore(database: SqlDatabase, day: number): void {
  database.lock('price blocks');
  const { changes } = database.prepare('delete from offer where departure_day < ?').run(day);
  if (changes > 0) priceBlockTable(database).removeBefore(day);
}

/** Removes a provider's offers, inside the caller's transaction, and returns their number. */
export function removeOffersOf(database: SqlDatabase, provider: number): number {
  database.lock('price blocks');
  const { changes } = database.prepare('delete from offer where provider = ?').run(provider);
  if (changes > 0) priceBlockTable(database).removeProvider(provider);
  return changes;
}

/** Removes every offer, inside the caller's transaction. */
export function removeAllOffers(database: SqlDatabase): void {
  database.lock('price blocks');
  database.exec('delete from offer');
  priceBlockTable(database).clear();
}

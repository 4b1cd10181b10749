import { parseItemKey } from '../inventory/item-key.ts';
import { IS_OFFER, OFFER } from '../inventory/offer-columns.ts';
import { storedCatalogue } from '../inventory/tables/stored-catalogue.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';

/**
 * Records the price, or sold out, of packages clicked since a provider's last feed. Call it in an import's
 * transaction after the packages, also for an unchanged feed. Clicks after `importedAt` (minutes since the
 * epoch, the import's start) wait; packages that depart before `firstDay` are in no feed.
 */
export function settleVisits(
  database: SqlDatabase,
  { provider, importedAt, firstDay }: { provider: number; importedAt: number; firstDay: number },
): void {
  const clicked = database
    .prepare(
      `select distinct item_key from site_visit
      where provider = ? and settled_at is null and visited_at <= ?`,
    )
    .rows(provider, importedAt);
  if (clicked.length === 0) return;
  const catalogue = storedCatalogue(database)();
  const priceOf = database.prepare(`select price from offer where ${IS_OFFER}`);
  const settle = database.prepare(
    `update site_visit set settled_at = ?, next_price = ?
    where provider = ? and item_key = ? and settled_at is null and visited_at <= ?`,
  );
  for (const [itemKey] of clicked) {
    const key = parseItemKey(String(itemKey), catalogue);
    if (key !== null && key[OFFER.departureDay] < firstDay) continue;
    const price = key === null ? undefined : priceOf.row(...key)?.[0];
    settle.run(importedAt, price === undefined ? null : Number(price), provider, String(itemKey), importedAt);
  }
}

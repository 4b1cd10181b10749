import { parseItemKey } from '../inventory/item-key.ts';
import { IS_OFFER, OFFER } from '../inventory/offer-columns.ts';
import { storedCatalogue } from '../inventory/tables/stored-catalogue.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';

/**
 * Records the new price, or sold out, for packages clicked since the provider's last feed. Call it last in an
 * import's transaction, even for an unchanged feed. Skips clicks after `importedAt` (its start, in minutes
 * since the epoch), and packages that depart before `firstDay`, which no feed contains.
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

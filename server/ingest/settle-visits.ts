import { parseItemKey } from '../inventory/item-key.ts';
import { IS_OFFER, OFFER } from '../inventory/offer-columns.ts';
import { storedCatalogue } from '../inventory/tables/stored-catalogue.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';

/**
 * Notes what a provider's feed says about the packages that visitors have clicked since its last one: their prices, or
 * that they are sold out. Call it in the transaction of an import, after its packages are written, or where a feed has
 * changed nothing: an unchanged price is an answer too, and is stored nowhere else.
 *
 * `answeredAt` is when the import began, in minutes since the epoch: later clicks wait for the next feed. Packages that
 * depart before `firstDay` are not in any feed, so there is no answer about them.
 */
export function settleVisits(
  database: SqlDatabase,
  { provider, answeredAt, firstDay }: { provider: number; answeredAt: number; firstDay: number },
): void {
  const clicked = database
    .prepare(
      `select distinct item_key from site_visit
      where provider = ? and settled_at is null and visited_at <= ?`,
    )
    .rows(provider, answeredAt);
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
    settle.run(answeredAt, price === undefined ? null : Number(price), provider, String(itemKey), answeredAt);
  }
}

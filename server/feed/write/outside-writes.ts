import { parseItemKey } from '../../inventory/item-key.ts';
import { KEY_COLUMNS, type OfferKey } from '../../inventory/offer-columns.ts';
import { storedCatalogue } from '../../inventory/tables/stored-catalogue.ts';
import { mapInOrder } from '../../lib/map-in-order.ts';
import type { SqlDatabase } from '../../storage/sql-database.ts';

/** The lock that keeps checked prices of a provider from being recorded while an import writes its packages. */
export const checksOf = (provider: number) => `price checks of ${provider}`;

/**
 * A provider's packages that something else than an import may have written: those seen after this minute, and those
 * whose price was checked after it. A check that finds a package sold out does not change when it was seen.
 */
export async function writtenOutside(
  database: SqlDatabase,
  provider: number,
  { seenAfter, checkedAfter }: { seenAfter: number; checkedAfter: number },
): Promise<OfferKey[]> {
  const seen = database.prepare(
    `select ${KEY_COLUMNS.join(', ')} from offer where provider = ? and seen_at > ?`,
  );
  const checked = database.prepare(
    'select distinct item_key from site_visit where provider = ? and is_check = 1 and visited_at > ?',
  );
  const keys = (await seen.rows(provider, seenAfter)) as unknown as OfferKey[];
  const items = await checked.rows(provider, checkedAfter);
  if (items.length === 0) return keys;
  const catalogue = await storedCatalogue()(database);
  const others = await mapInOrder(items, ([item]) => parseItemKey(String(item), catalogue));
  return [...keys, ...others.filter((key) => key !== null)];
}

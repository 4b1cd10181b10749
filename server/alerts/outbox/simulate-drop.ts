import { isPriceDrop } from '../../../domain/price-drop.ts';
import type { InventoryWriter, OfferRow } from '../../inventory/inventory.ts';
import { OFFER } from '../../inventory/offer-columns.ts';
import type { AlertStore } from '../tables/alert-store.ts';

/** The factor by which the price is lowered. */
const LOWERED = 0.88;
const MS_A_MINUTE = 60_000;

/**
 * Lowers the price of a watched sample package, as a feed would. Its alert ignores quiet hours and the daily limit.
 * False if the package is not watched, not on sale, or too cheap for a drop.
 */
export async function simulateDrop(
  store: AlertStore,
  openWriter: () => Promise<InventoryWriter>,
  watch: number,
  now: number,
): Promise<boolean> {
  const itemKey = store.sql.get`select item_key from alert_watch where id = ${watch} and state = 'active'`
    ?.item_key;
  const watched = typeof itemKey === 'string' ? store.packages.find(itemKey) : null;
  if (watched === null) return false;
  const price = Math.floor(Math.min(watched.price * LOWERED, watched.price - 1_000));
  if (price < 1 || !isPriceDrop(watched.price, price)) return false;
  const lowered: OfferRow = watched.offer
    .with(OFFER.price, price)
    .with(OFFER.seenAt, Math.floor(now / MS_A_MINUTE)) as unknown as OfferRow;
  const writer = await openWriter();
  try {
    await writer.writeOffers([lowered]);
  } finally {
    await writer.close();
  }
  store.sql.run`update alert_message set hurried = 1, due_at = ${now}
    where watch = ${watch} and kind = 'drop' and state = 'queued'`;
  return true;
}

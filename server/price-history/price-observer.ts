import type { DatabaseSync } from 'node:sqlite';
import type { OfferRow } from '../storage/inventory.ts';
import type { PriceChangeListener } from '../storage/price-changes.ts';
import { HISTORY_KEY_COLUMNS, historyKeyOf } from './history-key.ts';

/**
 * Writes price changes down as observations. The price that ends is observed too, at the last time that it was
 * seen, unless it is there already: a package's first change would otherwise leave no word of what it was.
 */
export function priceObserver(database: DatabaseSync): PriceChangeListener {
  const columns = [...HISTORY_KEY_COLUMNS, 'seen_at', 'price'];
  const observe = database.prepare(
    `insert or ignore into price_observation (${columns.join(', ')})
    values (${columns.map(() => '?').join(', ')})`,
  );
  const put = (offer: OfferRow) => observe.run(...historyKeyOf(offer), offer[SEEN_AT], offer[PRICE]);
  return (changes) => {
    for (const change of changes) {
      put(change.old);
      put(change.new);
    }
  };
}

const PRICE = 11;
const SEEN_AT = 19;

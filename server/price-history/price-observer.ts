import { HISTORY_KEY_COLUMNS, historyKeyOf } from '../inventory/history-key.ts';
import type { OfferRow } from '../inventory/inventory.ts';
import type { PriceChangeListener } from '../inventory/price-changes.ts';
import { rowInserter } from '../storage/row-inserter.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';

/**
 * Writes price changes down as observations. The price that ends is observed too, at the last time that it was
 * seen, unless it is there already: a package's first change would otherwise leave no word of what it was. Of
 * two changes in one minute the later stands.
 */
export function priceObserver(database: SqlDatabase): PriceChangeListener {
  const keys = [...HISTORY_KEY_COLUMNS, 'seen_at'];
  const observations = { table: 'price_observation', columns: [...keys, 'price'], keys };
  const ended = rowInserter(database, observations);
  const begun = rowInserter(database, { ...observations, update: ['price'] });
  return (changes) => {
    ended.insert(changes.map(({ old }) => observationOf(old)));
    begun.insert(changes.map(({ new: changed }) => observationOf(changed)));
  };
}

function observationOf(offer: OfferRow): number[] {
  return [...historyKeyOf(offer), offer[SEEN_AT], offer[PRICE]];
}

const PRICE = 11;
const SEEN_AT = 19;

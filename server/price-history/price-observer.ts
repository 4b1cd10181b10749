import { HISTORY_KEY_COLUMNS, historyKeyOf } from '../inventory/history-key.ts';
import type { OfferRow } from '../inventory/inventory.ts';
import type { PriceChangeListener } from '../inventory/price-changes.ts';
import { rowInserter } from '../storage/row-inserter.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';

/**
 * Stores price changes as observations. The old price is stored too, at the time it was last seen, unless that row
 * exists: otherwise a package's first change would lose it. Of two changes in one minute, the later one is kept.
 */
export function priceObserver(database: SqlDatabase): PriceChangeListener {
  const keys = [...HISTORY_KEY_COLUMNS, 'seen_at'];
  const observations = { table: 'price_observation', columns: [...keys, 'price'], keys };
  const oldPrices = rowInserter(database, observations);
  const newPrices = rowInserter(database, { ...observations, update: ['price'] });
  return (changes) => {
    oldPrices.insert(changes.map(({ old }) => observationOf(old)));
    newPrices.insert(changes.map(({ new: changed }) => observationOf(changed)));
  };
}

function observationOf(offer: OfferRow): number[] {
  return [...historyKeyOf(offer), offer[SEEN_AT], offer[PRICE]];
}

const PRICE = 11;
const SEEN_AT = 19;

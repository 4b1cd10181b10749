import type { DatabaseSync } from 'node:sqlite';
import type { PriceChangeListener } from '../storage/price-changes.ts';
import { HISTORY_KEY_COLUMNS, historyKeyOf } from './history-key.ts';

/**
 * Writes price changes down as observations. The price that ends is observed too, at the last time that it was
 * seen, unless it is there already: a package's first change would otherwise leave no word of what it was. Of
 * two changes in one minute the later stands.
 */
export function priceObserver(database: DatabaseSync): PriceChangeListener {
  const columns = [...HISTORY_KEY_COLUMNS, 'seen_at', 'price'];
  const observation = `price_observation (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`;
  const keep = database.prepare(`insert or ignore into ${observation}`);
  const put = database.prepare(`insert or replace into ${observation}`);
  return (changes) => {
    for (const { old, new: changed } of changes) {
      keep.run(...historyKeyOf(old), old[SEEN_AT], old[PRICE]);
      put.run(...historyKeyOf(changed), changed[SEEN_AT], changed[PRICE]);
    }
  };
}

const PRICE = 11;
const SEEN_AT = 19;

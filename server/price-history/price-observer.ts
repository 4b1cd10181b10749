import type { OfferRow } from '../inventory/inventory.ts';
import { OFFER } from '../inventory/offer-columns.ts';
import type { PriceChangeListener } from '../inventory/price-changes.ts';
import type { FirstSightingTable } from '../inventory/tables/offer-table.ts';
import { rowInserter } from '../storage/open/row-inserter.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import { HISTORY_KEY_COLUMNS, historyKeyOf } from './history-key.ts';

/** Where an offer's price is recorded when it is first seen. */
export const FIRST_SIGHTINGS: FirstSightingTable = {
  table: 'price_observation',
  keyColumns: HISTORY_KEY_COLUMNS,
};

/** The columns of the price history that refer to dictionaries. */
export const HISTORY_REFERENCES = {
  room: [['price_observation', 'room']],
  hotel: [
    ['price_path', 'hotel'],
    ['price_observation', 'hotel'],
  ],
  resort: [['price_index', 'resort']],
} as const;

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
  return [...historyKeyOf(offer), offer[OFFER.seenAt], offer[OFFER.price]];
}

import type { OfferRow } from '../inventory/inventory.ts';
import { OFFER } from '../inventory/offer-columns.ts';
import type { PriceChangeListener } from '../inventory/price-changes.ts';
import type { SightingTable } from '../inventory/tables/offer-table.ts';
import { rowInserter } from '../storage/open/row-inserter.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import { HISTORY_KEY_COLUMNS, historyKeyOf } from './history-key.ts';

/** Where sightings of offers are recorded. */
export const SIGHTINGS: SightingTable = {
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
  return [...historyKeyOf(offer), offer[OFFER.seenAt], offer[OFFER.price]];
}

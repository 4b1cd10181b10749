import { priceListeners } from '../../ingest/price-listeners.ts';
import { offerTable } from '../../inventory/tables/open-offer-table.ts';
import { FIRST_SIGHTINGS } from '../../price-history/price-observer.ts';
import { type OpenOptions, openDatabase } from '../../storage/open/database.ts';
import type { StoreAddress } from '../../storage/store-address.ts';
import type { FeedStore } from './apply-difference.ts';

/** Of the store's pages that an import holds: with less it would read and write the same pages again and again. */
const CACHE_KIB = 65_536;

/** Opens the store for an import: what follows from a price change is written with it. */
export function openFeedStore(store: StoreAddress, options: OpenOptions): FeedStore {
  const database = openDatabase(store, options);
  if (database.engine === 'sqlite') database.exec(`pragma cache_size = -${CACHE_KIB}`);
  const offers = offerTable(database, { firstSightings: FIRST_SIGHTINGS });
  return { database, offers, listeners: priceListeners(database) };
}

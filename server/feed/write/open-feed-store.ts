import { priceChangeQueue } from '../../alerts/matching/price-change-queue.ts';
import { alertClock } from '../../environment/clock.ts';
import { type OpenOptions, openDatabase } from '../../storage/open/database.ts';
import type { SqlDatabase } from '../../storage/sql-database.ts';
import type { StoreAddress } from '../../storage/store-address.ts';
import { type StoreImport, storeImport } from './store-import.ts';

/** The store's page cache during an import. With a smaller one, the same pages are read and written repeatedly. */
const CACHE_KIB = 49_152;

/** How long an import waits for other imports to write price blocks. */
const LOCK_TIMEOUT_MS = 60 * 60 * 1_000;

export interface FeedStore {
  database: SqlDatabase;
  writing: StoreImport;
}

/** Opens the store for an import. Price history and alerts are written with the packages. */
export async function openFeedStore(store: StoreAddress, options: OpenOptions): Promise<FeedStore> {
  const inSets = store.kind === 'embedded' ? {} : { lockTimeout: LOCK_TIMEOUT_MS, joinsTables: true };
  const database = await openDatabase(store, { ...inSets, ...options });
  // A large feed's packages may not fit in memory.
  if (database.engine === 'sqlite')
    await database.exec(`pragma cache_size = -${CACHE_KIB}; pragma temp_store = file`);
  return { database, writing: await storeImport(database, priceChangeQueue(database, alertClock)) };
}

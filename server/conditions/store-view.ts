import { alertKeys } from '../alerts/keys/alert-keys.ts';
import { type AlertStore, alertStore } from '../alerts/tables/alert-store.ts';
import { type ProviderState, readProviderStates, type StateSources } from '../feed/provider-states.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';

/** What conditions of the store are read from. */
export interface StoreView extends StateSources {
  database: SqlDatabase;
  alertStore: AlertStore;
  states: readonly ProviderState[];
}

export async function storeView(database: SqlDatabase, sources: StateSources): Promise<StoreView> {
  return {
    ...sources,
    database,
    // Any key will do, because nothing is decrypted.
    alertStore: alertStore(database, alertKeys(new Uint8Array(32))),
    states: await readProviderStates(database, sources),
  };
}

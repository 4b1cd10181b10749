import { statSync } from 'node:fs';
import { readBackupState } from '../backup/backup-notes.ts';
import { type ProviderState, readProviderStates, type StateSources } from '../feed/provider-states.ts';
import { readLastImports } from '../feed/write/store-notes.ts';
import { storedCatalogue } from '../inventory/tables/stored-catalogue.ts';
import { readPriceModels } from '../price-history/model/model-table.ts';
import { databasePath } from '../storage/open/database.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import type { StoreAddress } from '../storage/store-address.ts';
import { priceAccuracy } from '../visits/price-accuracy.ts';
import { type GaugeOf, gauge } from './gauge.ts';

/** Facts about the store for operators. */
export type StoreFacts = Awaited<ReturnType<typeof readStoreFacts>>;

/** Takes seconds for millions of offers, so it runs in a worker. */
export async function readStoreFacts(database: SqlDatabase, store: StoreAddress, sources: StateSources) {
  const totals = await database
    .prepare('select count(*) as offers, max(departure_day) as last from offer')
    .get();
  const models = await readPriceModels(database);
  return {
    offers: Number(totals?.offers),
    /** Days since 1970-01-01; null in an empty store. */
    lastDeparture: typeof totals?.last === 'number' ? totals.last : null,
    /** The size of the store's files, or of the PostgreSQL database. */
    bytes: await bytesOf(database, store),
    /** The version of the current price models, and their training day since 1970-01-01. */
    priceModels: models && { version: models.version, trainedDay: models.trainedDay },
    backups: await readBackupState(database),
    /** Each provider's last import. */
    imports: await readLastImports(database),
    feeds: await readProviderStates(database, sources),
    accuracy: await priceAccuracy(database, await storedCatalogue()(database)),
  };
}

/** A gauge by provider, of those that providers.json lists. Leaves out null. */
export function providerGauge(
  name: string,
  help: string,
  valueIn: (state: ProviderState) => number | null,
): GaugeOf<StoreFacts> {
  const read = ({ feeds }: StoreFacts) =>
    feeds.flatMap((state) => {
      const value = state.isListed ? valueIn(state) : null;
      return value === null ? [] : [[{ provider: state.provider }, value] as const];
    });
  return gauge(name, help, read, 'provider');
}

async function bytesOf(database: SqlDatabase, store: StoreAddress): Promise<number> {
  if (store.kind === 'embedded') {
    return ['', '-wal'].reduce((sum, ending) => sum + sizeOf(databasePath(store.dataDir) + ending), 0);
  }
  return Number((await database.prepare('select pg_database_size(current_database())').row())?.[0]);
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

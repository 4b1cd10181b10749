import { statSync } from 'node:fs';
import { readBackupState } from '../backup/backup-notes.ts';
import { readFeedStates } from '../feed/attempts/attempt-table.ts';
import { readLastImports } from '../feed/write/store-notes.ts';
import { storedCatalogue } from '../inventory/tables/stored-catalogue.ts';
import { readPriceModels } from '../price-history/model/model-table.ts';
import { databasePath } from '../storage/open/database.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import type { StoreAddress } from '../storage/store-address.ts';
import { priceAccuracy } from '../visits/price-accuracy.ts';

/** Facts about the store for operators. */
export type StoreFacts = ReturnType<typeof readStoreFacts>;

/** Takes seconds for millions of offers, so it runs in a worker. */
export function readStoreFacts(database: SqlDatabase, store: StoreAddress) {
  const totals = database.prepare('select count(*) as offers, max(departure_day) as last from offer').get();
  const models = readPriceModels(database);
  return {
    offers: Number(totals?.offers),
    /** Days since 1970-01-01; null in an empty store. */
    lastDeparture: typeof totals?.last === 'number' ? totals.last : null,
    /** The size of the store's files, or of the PostgreSQL database. */
    bytes: bytesOf(database, store),
    /** The version of the current price models, and their training day since 1970-01-01. */
    priceModels: models && { version: models.version, trainedDay: models.trainedDay },
    backups: readBackupState(database),
    /** Each provider's last import. */
    imports: readLastImports(database),
    /** How each provider's feed is doing. */
    feeds: readFeedStates(database),
    accuracy: priceAccuracy(database, storedCatalogue(database)()),
  };
}

function bytesOf(database: SqlDatabase, store: StoreAddress): number {
  if (store.kind === 'embedded') {
    return ['', '-wal'].reduce((sum, ending) => sum + sizeOf(databasePath(store.dataDir) + ending), 0);
  }
  return Number(database.prepare('select pg_database_size(current_database())').row()?.[0]);
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

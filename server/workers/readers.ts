import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import { parseAirports } from '../../domain/airport.ts';
import { type AdminWorkerApi, readAdminFacts } from '../admin/admin-facts.ts';
import type { SendingPrices } from '../alerts/delivery/send-context.ts';
import { conditionsOfStore } from '../conditions/store-conditions.ts';
import { readStoreFacts } from '../conditions/store-facts.ts';
import { alertClock } from '../environment/clock.ts';
import { listedProviders, readFeedSettings } from '../feed/feed-settings.ts';
import { airportNeighbours } from '../inventory/airport-neighbours.ts';
import { storedCatalogue } from '../inventory/tables/stored-catalogue.ts';
import { once } from '../lib/once.ts';
import { serveWorker, throwIfCancelled } from '../lib/worker-rpc.ts';
import type { StoreFactsApi } from '../metrics/store-facts.ts';
import { sqlitePackageRepository } from '../package-search/store/sqlite-package-repository.ts';
import { analysePrices, priceHistory } from '../price-history/analyse-prices.ts';
import type { AnalysisWorkerApi } from '../price-history/price-analyses.ts';
import { priceRecordReader } from '../price-record/record-store.ts';
import { interruptible } from '../storage/interruptible.ts';
import { openDatabaseForReading } from '../storage/open/database.ts';
import type { SqlSession } from '../storage/sql-database.ts';
import type { StoreAddress } from '../storage/store-address.ts';

// The thread of all reads that may take long: wide searches, price analyses, facts for metrics and /admin.

export interface ReadersData {
  store: StoreAddress;
  /** The folder with the list of departure airports. Airports of one region are comparable. */
  listsDir: string;
  staleAfterDays: number;
  feedLateMs: number;
  prices: SendingPrices;
}

const { store, listsDir, staleAfterDays, feedLateMs, prices } = workerData as ReadersData;

/** A call returns its remaining keys after this time, so that other calls can run in between. */
const PIECE_MS = 20;

const openStore = once(async () => openDatabaseForReading(store));
const openInterruptible = once(async () => interruptible(await openStore(), throwIfCancelled));

const openAnalyses = once(async (): Promise<AnalysisWorkerApi> => {
  const database = await openInterruptible();
  const catalogueIn = storedCatalogue();
  const neighbours = airportNeighbours(
    parseAirports(readFileSync(join(listsDir, 'departure-airports.csv'), 'utf8')),
  );
  const contextIn = async (tx: SqlSession) => ({
    database: tx,
    catalogue: await catalogueIn(tx),
    neighbours,
    staleAfterDays,
  });
  return {
    // Reads a package and its comparables from the same snapshot.
    analyse: (itemKeys, nowMs) =>
      database.read(async (tx) => {
        const current = await contextIn(tx);
        const until = performance.now() + PIECE_MS;
        const isOver = () => performance.now() >= until;
        const analysed = await analysePrices(current, itemKeys, nowMs, isOver);
        return { ...analysed, state: current.catalogue.version };
      }),
    history: (itemKey, nowMs) =>
      database.read(async (tx) => priceHistory(await contextIn(tx), itemKey, nowMs)),
  };
});

// The settings of feeds are read with each call, because providers.json may have changed.
const facts: StoreFactsApi = {
  async read() {
    const providers = listedProviders(readFeedSettings(process.env));
    const database = await openStore();
    const sources = { now: alertClock(), providers, feedLateMs };
    const known = await readStoreFacts(database, store, sources);
    return { ...known, problems: await conditionsOfStore(database, sources) };
  },
};

const admin: AdminWorkerApi = {
  async read() {
    const feeds = readFeedSettings(process.env);
    return readAdminFacts(await openStore(), store, {
      feeds: feeds.kind === 'refused' ? null : feeds.settings,
      feedLateMs,
      prices,
      now: alertClock(),
    });
  },
};

serveWorker({
  'wide searches': { open: once(async () => sqlitePackageRepository(await openInterruptible())) },
  'price analyses': { open: openAnalyses },
  'price record': { open: once(async () => priceRecordReader(await openStore())) },
  facts: { open: async () => facts },
  admin: { open: async () => admin },
});

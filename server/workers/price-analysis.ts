import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import { parseAirports } from '../../domain/airport.ts';
import { airportNeighbours } from '../inventory/airport-neighbours.ts';
import { storedCatalogue } from '../inventory/tables/stored-catalogue.ts';
import { serveWorker, throwIfCancelled } from '../lib/worker-rpc.ts';
import { analysePrices } from '../price-history/analyse-prices.ts';
import type { AnalysisWorkerApi, AnalysisWorkerData } from '../price-history/price-analyses.ts';
import { priceHistory } from '../price-history/price-history.ts';
import { inSnapshot } from '../storage/in-snapshot.ts';
import { interruptible } from '../storage/interruptible.ts';
import { openDatabaseForReading } from '../storage/open/database.ts';

const { store, listsDir, staleAfterDays } = workerData as AnalysisWorkerData;

/** A call returns its remaining keys after this time, so that other calls can run in between. */
const PIECE_MS = 20;

const database = interruptible(openDatabaseForReading(store), throwIfCancelled);
const neighbours = airportNeighbours(
  parseAirports(readFileSync(join(listsDir, 'departure-airports.csv'), 'utf8')),
);
const catalogue = storedCatalogue(database);

serveWorker<AnalysisWorkerApi>(() => ({
  // Reads a package and its comparables from the same snapshot.
  analyse: (itemKeys, nowMs) =>
    inSnapshot(database, () => {
      const current = catalogue();
      const { version: state } = current;
      const until = performance.now() + PIECE_MS;
      const isOver = () => performance.now() >= until;
      return {
        ...analysePrices(database, current, neighbours, staleAfterDays, itemKeys, nowMs, isOver),
        state,
      };
    }),
  history: (itemKey, nowMs) =>
    inSnapshot(database, () => {
      return priceHistory(database, catalogue(), neighbours, staleAfterDays, itemKey, nowMs);
    }),
}));

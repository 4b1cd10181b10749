import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import { parseAirports } from '../../domain/airport.ts';
import { dayNumber, todayInLondon } from '../../domain/calendar-date.ts';
import { airportNeighbours } from '../inventory/airport-neighbours.ts';
import { serveWorker } from '../lib/worker-rpc.ts';
import { openOwnRepository } from '../package-search/store/open-package-repository.ts';
import {
  deleteExpiredPrices,
  isRefreshed,
  type RefreshReport,
  refreshPrices,
} from '../price-history/refresh-prices.ts';
import type { RefreshWorkerApi, RefreshWorkerData } from '../price-history/start-price-refresh.ts';
import { keyText } from '../price-record/draw-packages.ts';
import { drawnOn, publishRecord } from '../price-record/publish-record.ts';
import { checkClock } from '../storage/clock-guard.ts';
import { openDatabase } from '../storage/open/database.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';

const { store, sampleSeed, listsDir, staleAfterDays } = workerData as RefreshWorkerData;

const api: RefreshWorkerApi = {
  async refresh() {
    await using database = await openDatabase(store, { isExisting: true });
    // Only one server refreshes at a time.
    return (await database.tryLock('price refresh')) ? await refreshLocked(database) : 'elsewhere';
  },
  async publish() {
    await using database = await openDatabase(store, { isExisting: true });
    const nowMs = Date.now();
    // A wrong clock could leave the chain without a file for days.
    if ((await checkClock(database, nowMs)).kind === 'doubted') return null;
    if (!(await database.tryLock('price refresh'))) return null;
    const today = dayNumber(todayInLondon(nowMs));
    await writeSamplePast(database, today);
    const repository = await openOwnRepository(store);
    try {
      const airports = parseAirports(readFileSync(join(listsDir, 'departure-airports.csv'), 'utf8'));
      const neighbours = airportNeighbours(airports);
      return await publishRecord(database, { repository, neighbours, staleAfterDays, today, nowMs });
    } finally {
      await repository.close();
    }
  },
};

serveWorker({ 'price refresh': { open: async () => api } });

/** Imports the sample's code only if needed, so that a server with a real inventory never loads it. */
async function writeSamplePast(database: SqlDatabase, today: number): Promise<void> {
  if (sampleSeed === null) return;
  const { writeSampleHistory } = await import('../sample/write-sample-history.ts');
  await writeSampleHistory(database, sampleSeed, today);
}

async function refreshLocked(database: SqlDatabase): Promise<RefreshReport | 'done'> {
  const now = Date.now();
  const today = dayNumber(todayInLondon(now));
  await writeSamplePast(database, today);
  const isDone = await isRefreshed(database, today);
  const drawn = isDone ? null : await drawnOn(database, today);
  const report =
    drawn === null ? 'done' : await refreshPrices(database, today, (key) => drawn.has(keyText(key)));
  await deleteExpiredPrices(database, now);
  return report;
}

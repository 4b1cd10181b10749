import { workerData } from 'node:worker_threads';
import { dayNumber, todayInLondon } from '../../domain/calendar-date.ts';
import { serveWorker } from '../lib/worker-rpc.ts';
import {
  deleteExpiredPrices,
  isRefreshed,
  type RefreshReport,
  refreshPrices,
} from '../price-history/refresh-prices.ts';
import type { RefreshWorkerApi, RefreshWorkerData } from '../price-history/start-price-refresh.ts';
import { openDatabase } from '../storage/open/database.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';

const { store, sampleSeed } = workerData as RefreshWorkerData;

const api: RefreshWorkerApi = {
  async refresh() {
    await using database = await openDatabase(store, { isExisting: true });
    // Only one server refreshes at a time.
    return (await database.tryLock('price refresh')) ? await refreshLocked(database) : 'elsewhere';
  },
};

serveWorker({ 'price refresh': { open: async () => api } });

async function refreshLocked(database: SqlDatabase): Promise<RefreshReport | 'done'> {
  const now = Date.now();
  const today = dayNumber(todayInLondon(now));
  if (sampleSeed !== null) {
    // Imported only here, so that a server with a real inventory never loads the sample's code.
    const { writeSampleHistory } = await import('../sample/write-sample-history.ts');
    await writeSampleHistory(database, sampleSeed, today);
  }
  const report = (await isRefreshed(database, today)) ? 'done' : await refreshPrices(database, today);
  await deleteExpiredPrices(database, now);
  return report;
}

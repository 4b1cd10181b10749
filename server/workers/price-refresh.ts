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

serveWorker<RefreshWorkerApi>(() => ({
  async refresh() {
    using database = openDatabase(store, { isExisting: true });
    // Only one server refreshes at a time.
    return database.tryLock('price refresh') ? await refreshLocked(database) : 'elsewhere';
  },
}));

async function refreshLocked(database: SqlDatabase): Promise<RefreshReport | 'done'> {
  const now = Date.now();
  const today = dayNumber(todayInLondon(now));
  if (sampleSeed !== null) {
    // Imported only here, so that a server with a real inventory never loads the sample's code.
    const { writeSampleHistory } = await import('../sample/write-sample-history.ts');
    writeSampleHistory(database, sampleSeed, today);
  }
  const report = isRefreshed(database, today) ? 'done' : refreshPrices(database, today);
  deleteExpiredPrices(database, now);
  return report;
}

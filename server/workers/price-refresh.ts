import { parentPort, workerData } from 'node:worker_threads';
import { dayNumber, todayInLondon } from '../../domain/calendar-date.ts';
import { readPriceModels } from '../price-history/model/model-table.ts';
import { refreshPrices } from '../price-history/refresh-prices.ts';
import type { RefreshWorkerData } from '../price-history/start-price-refresh.ts';
import { openDatabase } from '../storage/open/database.ts';

const { store, sampleSeed, unlessDoneToday } = workerData as RefreshWorkerData;
const today = dayNumber(todayInLondon(Date.now()));
const database = openDatabase(store);
try {
  // Only one of several servers refreshes.
  if (database.tryLock('price refresh')) await refresh();
} finally {
  database.close();
}

async function refresh(): Promise<void> {
  if (sampleSeed !== null) {
    // Imported on demand: a server without sample inventory never loads this code.
    const { writeSampleHistory } = await import('../sample/write-sample-history.ts');
    writeSampleHistory(database, sampleSeed, today);
  }
  if (!unlessDoneToday || readPriceModels(database)?.trainedDay !== today) {
    parentPort?.postMessage(refreshPrices(database, today));
  }
}

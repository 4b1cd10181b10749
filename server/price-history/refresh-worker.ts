import { parentPort, workerData } from 'node:worker_threads';
import { dayNumber, todayInLondon } from '../../domain/calendar-date.ts';
import { openDatabase } from '../storage/open-database.ts';
import { refreshPrices } from './refresh-prices.ts';
import { writeSampleHistory } from './write-sample-history.ts';

/** What `startPriceRefresh` hands over. */
export interface RefreshWorkerData {
  dataDir: string;
  /** The sample market's seed; null where the inventory is no sample. */
  sampleSeed: number | null;
}

const { dataDir, sampleSeed } = workerData as RefreshWorkerData;
const today = dayNumber(todayInLondon(Date.now()));
const database = openDatabase(dataDir);
try {
  if (sampleSeed !== null) writeSampleHistory(database, sampleSeed, today);
  parentPort?.postMessage(refreshPrices(database, today));
} finally {
  database.close();
}

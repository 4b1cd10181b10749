import { setImmediate } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { todayInLondon } from '../../domain/calendar-date.ts';
import { openInventoryWriter } from '../storage/open-inventory-writer.ts';
import type { StoreAddress } from '../storage/store-address.ts';
import { loadSample } from './load-sample.ts';

/** What `start-sample-inventory` hands over. */
export interface SampleWorkerData {
  store: StoreAddress;
  seed: number;
}

const { store, seed } = workerData as SampleWorkerData;
const epochMs = Date.now();
let stopping = false;
parentPort?.once('message', () => {
  stopping = true;
});

const writer = await openInventoryWriter(store, { firstSightings: false });
await loadSample({
  // Between two batches the worker looks up, so that a stop is heard.
  writer: { ...writer, writeOffers: (rows) => writer.writeOffers(rows).then(() => setImmediate()) },
  seed,
  today: todayInLondon(epochMs),
  now: Math.floor(epochMs / 60_000),
  onProgress: (progress) => parentPort?.postMessage(progress),
  stopped: () => stopping,
});
await writer.close();
parentPort?.close();

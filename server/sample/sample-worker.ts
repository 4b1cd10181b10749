import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
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

/** Between two looks at whether another server still loads, in milliseconds. */
const LOOK_EVERY = 1_000;

const { store, seed } = workerData as SampleWorkerData;
const epochMs = Date.now();
let stopping = false;
parentPort?.once('message', () => {
  stopping = true;
});

const writer = await openInventoryWriter(store, { firstSightings: false });
// Of several servers one loads; the others come when it has, and find little left to do.
while (!stopping && !(await writer.reserve('sample inventory'))) await sleep(LOOK_EVERY);
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

import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { todayInLondon } from '../../domain/calendar-date.ts';
import { openInventoryWriter } from '../ingest/open-inventory-writer.ts';
import type { InventoryWriter } from '../inventory/inventory.ts';
import { isStoreUnavailable } from '../lib/store-unavailable.ts';
import { loadSample } from '../sample/load-sample.ts';
import type { SampleWorkerData } from '../sample/start-sample-inventory.ts';

/** Between two looks at whether another server still loads, in milliseconds. */
const LOOK_EVERY = 1_000;

const { store, seed } = workerData as SampleWorkerData;
const epochMs = Date.now();
let stopping = false;
parentPort?.once('message', () => {
  stopping = true;
});

// A PostgreSQL that is started again cuts a load off, and the load goes on where it stood.
while (!(await isLoaded())) await sleep(LOOK_EVERY);
parentPort?.close();

/** Loads; false where the store went away in the middle and there is reason to come again. */
async function isLoaded(): Promise<boolean> {
  try {
    const writer = await openInventoryWriter(store, { firstSightings: false });
    try {
      await load(writer);
      return true;
    } finally {
      await writer.close();
    }
  } catch (error) {
    if (!isStoreUnavailable(error)) throw error;
    return stopping;
  }
}

async function load(writer: InventoryWriter): Promise<void> {
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
}

import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { todayInLondon } from '../../domain/calendar-date.ts';
import { openInventoryWriter } from '../ingest/open-inventory-writer.ts';
import type { InventoryWriter } from '../inventory/inventory.ts';
import { isStoreUnavailable } from '../lib/store-unavailable.ts';
import { loadSample } from '../sample/load-sample.ts';
import type { SampleWorkerData } from '../sample/start-sample-inventory.ts';

/** Milliseconds between two checks of whether another server is still loading. */
const CHECK_EVERY_MS = 1_000;

const { store, seed } = workerData as SampleWorkerData;
const epochMs = Date.now();
let stopping = false;
parentPort?.once('message', () => {
  stopping = true;
});

// A restart of PostgreSQL interrupts the load, which then resumes where it stopped.
while (!(await isLoaded())) await sleep(CHECK_EVERY_MS);
parentPort?.close();

/** Loads. Returns false if the store became unavailable and the load should be retried. */
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
  // Of several servers, one loads. The others wait for it and then find little left to do.
  while (!stopping && !(await writer.reserve('sample inventory'))) await sleep(CHECK_EVERY_MS);
  await loadSample({
    // Yields to the event loop between batches, so that a stop message is received.
    writer: { ...writer, writeOffers: (rows) => writer.writeOffers(rows).then(() => setImmediate()) },
    seed,
    today: todayInLondon(epochMs),
    now: Math.floor(epochMs / 60_000),
    onProgress: (progress) => parentPort?.postMessage(progress),
    stopped: () => stopping,
  });
}

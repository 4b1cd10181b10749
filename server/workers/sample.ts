import { setTimeout as sleep } from 'node:timers/promises';
import { todayInLondon } from '../../domain/calendar-date.ts';
import { londonDay } from '../../domain/london-time.ts';
import { openInventoryWriter } from '../ingest/open-inventory-writer.ts';
import type { InventoryWriter } from '../inventory/tables/inventory-writer.ts';
import { isStoreUnavailable } from '../lib/store-unavailable.ts';
import { loadSample } from '../sample/load-sample.ts';
import { moveSamplePrices } from '../sample/move-sample-prices.ts';
import type { SampleMessage, SampleTask } from '../sample/start-sample-inventory.ts';
import { writeSampleHistory } from '../sample/write-sample-history.ts';
import { checkClock } from '../storage/clock-guard.ts';
import { openDatabase } from '../storage/open/database.ts';

/** How often to check whether another server is still loading. */
const RETRY_INTERVAL_MS = 1_000;

/** The pause after each transaction of a load, for other writers and stop messages. */
const PAUSE_MS = 5;

/** The pause after each transaction, in multiples of its duration. A load thus uses a quarter of a processor. */
const PAUSE_FACTOR = 3;

// Ignored, because the server decides when this process ends, although Ctrl-C in a terminal reaches both.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
// The server was killed, so this process ends too. Uncommitted work is rolled back.
process.once('disconnect', () => process.exit());
let stopping = false;
// One listener for both messages, because they may arrive together.
const { store, seed } = await new Promise<SampleTask>((resolve) => {
  process.on('message', (message: SampleTask | 'stop') => {
    if (message === 'stop') stopping = true;
    else resolve(message);
  });
});
const epochMs = Date.now();

try {
  // Retries a load that a restart of PostgreSQL interrupted.
  while (!(await tryLoad())) await sleep(RETRY_INTERVAL_MS);
} catch (error) {
  process.exitCode = 1;
  post({ failed: error instanceof Error ? error : new Error(String(error)) });
}
process.disconnect();

/** Loads the sample; returns false if the store became unavailable and the load should be retried. */
async function tryLoad(): Promise<boolean> {
  try {
    const writer = await openInventoryWriter(store, { recordsPrices: false, isExisting: true });
    try {
      await load(writer);
      post('loaded');
      if (!stopping) await move(writer);
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
  // Only one server loads the sample. The others wait.
  while (!stopping && !(await writer.reserve('sample inventory'))) await sleep(RETRY_INTERVAL_MS);
  await loadSample({
    writer: { ...writer, writeOffers: (rows) => writer.writeOffers(rows).then(() => sleep(PAUSE_MS)) },
    seed,
    today: todayInLondon(epochMs),
    now: Math.floor(epochMs / 60_000),
    canRemoveDeparted: await isClockRight(),
    onProgress: (progress) => post(progress),
    stopped: () => stopping,
  });
}

async function isClockRight(): Promise<boolean> {
  await using database = await openDatabase(store, { isExisting: true });
  return (await checkClock(database, epochMs)).kind === 'right';
}

async function move(writer: InventoryWriter): Promise<void> {
  const now = Math.floor(epochMs / 60_000);
  await using database = await openDatabase(store, { isExisting: true });
  await writeSampleHistory(database, seed, londonDay(now));
  await moveSamplePrices({
    database,
    writer,
    now,
    yieldTurn: (workedMs) => sleep(PAUSE_FACTOR * workedMs),
    stopped: () => stopping,
  });
}

function post(message: SampleMessage): void {
  process.send?.(message);
}

import { SingleBar } from 'cli-progress';
import type { FastifyBaseLogger } from 'fastify';
import { addDays, todayInLondon } from '../../domain/calendar-date.ts';
import type { InventoryStatus } from '../http/health-plugin.ts';
import type { StoreAddress } from '../storage/store-address.ts';
import { type SampleInventory, startSampleInventory } from './start-sample-inventory.ts';

/** The time between two log lines about a load. */
const LOG_INTERVAL_MS = 5_000;

export interface SampleSettings {
  store: StoreAddress;
  sampleSeed: number;
}

/** Loads the sample inventory in the background, and reports progress. */
export function loadSampleInventory(
  { store, sampleSeed }: SampleSettings,
  status: InventoryStatus,
  log: FastifyBaseLogger,
): SampleInventory {
  const progress = process.stderr.isTTY ? progressBar() : progressLines(log);
  const today = todayInLondon(Date.now());
  const offersBefore = status.offers ?? 0;
  const sample = startSampleInventory({
    store,
    seed: sampleSeed,
    log: (line: string) => log.info(line),
    onProgress({ day, days, offers }) {
      status.throughDay = addDays(today, day);
      status.offers = offersBefore + offers;
      progress.update(day, days, offers);
    },
  });
  void followLoad(sample, status, progress, log);
  return sample;
}

async function followLoad(
  sample: { complete: Promise<void> },
  status: InventoryStatus,
  progress: Progress,
  log: FastifyBaseLogger,
): Promise<void> {
  try {
    await sample.complete;
  } catch (error) {
    log.error(error, 'The sample inventory could not be loaded; packages already loaded can be searched');
  } finally {
    status.loading = false;
    progress.stop();
  }
}

interface Progress {
  update(day: number, days: number, offers: number): void;
  stop(): void;
}

function progressBar(): Progress {
  const bar = new SingleBar({ format: 'Sample inventory {bar} {percentage}% {offers} packages' });
  let started = false;
  return {
    update(day, days, offers) {
      if (!started) bar.start(days, day, { offers });
      started = true;
      bar.update(day, { offers });
    },
    stop: () => bar.stop(),
  };
}

function progressLines(log: FastifyBaseLogger): Progress {
  let loggedAt = Number.NEGATIVE_INFINITY;
  return {
    update(day, days, offers) {
      const now = performance.now();
      if (now - loggedAt < LOG_INTERVAL_MS && day < days) return;
      loggedAt = now;
      log.info(`Sample inventory: ${day} of ${days} days, ${offers} packages`);
    },
    stop() {},
  };
}

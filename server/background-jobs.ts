import type { FastifyInstance } from 'fastify';
import { fromDayNumber } from '../domain/calendar-date.ts';
import { type ScheduleWorkerApi, startFeedSchedule } from './feed/feed-schedule.ts';
import { watchImports } from './feed/watch-imports.ts';
import type { InventoryStatus, ServerStatus } from './http/health-plugin.ts';
import { completeStore } from './ingest/complete-store.ts';
import { errorMessage } from './lib/error-message.ts';
import { log } from './lib/log.ts';
import type { KnownStoreFacts } from './metrics/store-facts.ts';
import { hasRecipient } from './notices/notice-settings.ts';
import { noticesIn } from './notices/notices-in-thread.ts';
import { startPriceRefresh } from './price-history/start-price-refresh.ts';
import { LISTS, type Services } from './services.ts';
import type { Settings } from './settings.ts';

export interface BackgroundJobs {
  /** Stops reacting to imports. */
  stopWatching(): void;
  /** Each ends one job. */
  stops: readonly (() => Promise<unknown>)[];
}

/**
 * Completes the store, counts the inventory, loads the sample, refreshes the price history, follows imports,
 * imports by schedule, and notifies operators.
 */
export function startBackgroundJobs(
  { config, feeds, notices: noticeSettings }: Settings,
  { repository, facts, background }: Services,
  app: FastifyInstance,
  inventory: InventoryStatus,
  serverStatus: Readonly<ServerStatus>,
): BackgroundJobs {
  const { store, sampleInventory, sampleSeed } = config;
  const completion = completeStore({ store, charges: feeds.charges }, (line) => app.log.warn(line));
  const count = () => countInventory(facts, inventory, serverStatus);
  const counted = count();
  const sample = sampleInventory ? counted.then(loadSample) : null;
  const loaded = (sample ?? counted).then((started) => started?.complete);
  const prices = startPriceRefresh({
    store,
    sampleSeed: sampleInventory ? sampleSeed : null,
    listsDir: config.brand.lists.airports ?? LISTS,
    staleAfterDays: config.priceStaleAfterDays,
    // The sample's prices are today's only once they have moved, which happens after the load.
    loaded: (sample ?? counted).then((started) => started?.moved),
    log: (line) => app.log.info(line),
  });
  if (sample !== null) loaded.then(count, () => {});
  const imports = watchImports(repository, async () => {
    prices.refresh();
    completion.run();
    await count();
  });
  const notices = hasRecipient(noticeSettings) ? noticesIn(background, (line) => log.error(line)) : null;
  const schedule = sampleInventory
    ? null
    : startFeedSchedule({
        due: background.part<ScheduleWorkerApi>('schedule', { methods: ['due'] }).api.due,
        log: (level, line) => log[level](line),
      });

  /** Imported only here, so that a server with a real inventory never loads the sample's code. */
  async function loadSample() {
    const { loadSampleInventory } = await import('./sample/load-sample-inventory.ts');
    return loadSampleInventory(config, inventory, app.log);
  }

  return {
    stopWatching: imports.stop,
    stops: [
      completion.stop,
      prices.stop,
      async () => notices?.stop(),
      async () => schedule?.stop(),
      async () => (await sample)?.stop(),
    ],
  };
}

/** Updates the status with the store's counts. If counting fails, keeps the last ones. */
async function countInventory(
  facts: KnownStoreFacts,
  inventory: InventoryStatus,
  serverStatus: Readonly<ServerStatus>,
): Promise<null> {
  try {
    const { offers, lastDeparture } = await facts.refresh();
    inventory.offers = offers;
    inventory.throughDay = lastDeparture === null ? null : fromDayNumber(lastDeparture);
  } catch (error) {
    if (!serverStatus.isStopping)
      log.warn(`The store's packages could not be counted: ${errorMessage(error)}`);
  }
  return null;
}

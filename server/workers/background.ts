import { workerData } from 'node:worker_threads';
import { type AlertServiceOptions, openAlertService } from '../alerts/alert-service.ts';
import { hasKeyFile } from '../alerts/keys/alert-keys.ts';
import { problemsOf } from '../conditions/condition.ts';
import { SERVER_CONDITIONS } from '../conditions/server-conditions.ts';
import { QUIET_SERVER } from '../conditions/server-view.ts';
import { alertClock } from '../environment/clock.ts';
import { scheduleReader } from '../feed/due-work.ts';
import { listedProviders, readFeedSettings, watchedProviders } from '../feed/feed-settings.ts';
import { openInventoryWriter } from '../ingest/open-inventory-writer.ts';
import { knownFreeBytes } from '../lib/free-bytes.ts';
import { log } from '../lib/log.ts';
import { once } from '../lib/once.ts';
import { serveWorker } from '../lib/worker-rpc.ts';
import { noticeRuns } from '../notices/notice-runs.ts';
import { noticeSender } from '../notices/notice-sender.ts';
import type { NoticeSettings } from '../notices/notice-settings.ts';
import { openDatabase } from '../storage/open/database.ts';
import { checkServers } from '../storage/postgres/check-server.ts';
import type { StoreAddress } from '../storage/store-address.ts';
import { type PriceCheckOptions, priceChecks } from '../visits/price-checks.ts';
import type { VisitsWorkerApi } from '../visits/record-visits.ts';
import { requestPrice } from '../visits/request-price.ts';
import { visitBatches } from '../visits/visit-batches.ts';
import { visitWriter } from '../visits/visit-table.ts';

// The thread of all writes but imports: alerts, visits, notices, and the schedule of feeds.

export interface BackgroundData {
  store: StoreAddress;
  alerts: AlertServiceOptions;
  /** Whether the sample's providers respond to price checks. */
  isSample: boolean;
  notices: NoticeSettings;
  /** The server's name in notices. */
  site: string;
}

const { store, alerts, isSample, notices: settings, site } = workerData as BackgroundData;

/** Checks of this period are recorded together, because an import may delay each write by a second. */
const TOGETHER_MS = 2_000;

const openAlerts = once(async () => {
  const { service, run } = await openAlertService(
    alerts,
    alertClock,
    (line) => log.error(`Price alerts: ${line}`),
    openInventoryWriter,
  );
  await run();
  return service;
});

type CheckedProviders = Pick<PriceCheckOptions, 'checkOf' | 'ask'>;

const openVisits = once(async (): Promise<VisitsWorkerApi> => {
  const database = await openDatabase(store, { interactive: true, isExisting: true });
  const check = priceChecks(database, {
    ...(isSample ? await sampleProviders() : providersOfFile()),
    isRecorded: !isSample,
    soon: (task) => setTimeout(() => void task(), TOGETHER_MS),
    monotonicNow: () => performance.now(),
    log: (line) => log.warn(line),
  });
  return { record: visitBatches(visitWriter(database), (task) => setImmediate(() => void task())), check };
});

/** Imported only here, so that a server with a real inventory never loads the sample's code. */
async function sampleProviders(): Promise<CheckedProviders> {
  const { SAMPLE_CHECK, askSampleProvider } = await import('../sample/sample-price-check.ts');
  return { checkOf: () => SAMPLE_CHECK, ask: askSampleProvider };
}

function providersOfFile(): CheckedProviders {
  const read = readFeedSettings(process.env);
  if (read.kind === 'refused') return { checkOf: () => null, ask: () => Promise.reject() };
  const providers = watchedProviders(read.settings);
  return {
    checkOf: (code) => providers().find((one) => one.code === code)?.priceCheck ?? null,
    ask: requestPrice(read.settings.providers.folder),
  };
}

const openNotices = once(async () =>
  noticeRuns({
    openStore: () => openDatabase(store, { isExisting: true, interactive: true }),
    async look(now) {
      // Reads providers.json again, which may have changed.
      const feeds = readFeedSettings(process.env);
      return {
        conditions: await problemsOf(SERVER_CONDITIONS, {
          ...QUIET_SERVER,
          now,
          settingsFault: feeds.kind === 'refused' ? feeds.message : null,
          charges: feeds.kind === 'refused' ? null : feeds.settings.charges,
          freeBytes: store.kind === 'embedded' ? knownFreeBytes(store.dataDir) : null,
          servers: store.kind === 'postgresql' ? (await checkServers(store)).replicas : [],
          isKeyMissing: store.kind === 'embedded' && alerts.config.secret === null && !hasKeyFile(store),
        }),
        providers: listedProviders(feeds),
        feedLateMs: settings.feedLateMs,
      };
    },
    send: noticeSender(settings, site, (line) => log.error(line)),
    log: (line) => log.error(line),
    now: alertClock,
  }),
);

const schedule = scheduleReader(store, alertClock);

serveWorker({
  alerts: { open: openAlerts, close: async () => (await openAlerts()).stop() },
  visits: { open: openVisits },
  notices: { open: openNotices, close: async () => (await openNotices()).close() },
  schedule: { open: async () => schedule, close: () => schedule.close() },
});

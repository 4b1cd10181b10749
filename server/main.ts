import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { fromDayNumber } from '../domain/calendar-date.ts';
import type { ChargeTable } from '../domain/local-charges.ts';
import { actOnFeed } from './admin/act-on-feed.ts';
import { adminFactsInThread } from './admin/admin-facts-in-thread.ts';
import type { AlertsConfig } from './alerts/alerts-config.ts';
import { type AlertsInThread, alertsInThread } from './alerts/alerts-in-thread.ts';
import type { AppAlerts } from './alerts/http/add-alerts.ts';
import { hasKeyFile } from './alerts/keys/alert-keys.ts';
import { readVapidKeys } from './alerts/keys/vapid-key.ts';
import { buildApp } from './app.ts';
import type { Config } from './config.ts';
import { alertClock } from './environment/clock.ts';
import { startFeedSchedule } from './feed/feed-schedule.ts';
import { watchedProviders } from './feed/feed-settings.ts';
import { watchImports } from './feed/watch-imports.ts';
import { closeGracefully } from './http/close-gracefully.ts';
import { applyCharges } from './ingest/apply-charges.ts';
import { FEEDS_NOTE } from './inventory/inventory-notes.ts';
import { systemClock } from './lib/clock.ts';
import { endProcess, endsInTime } from './lib/end-in-time.ts';
import { errorCode, errorMessage } from './lib/error-message.ts';
import { knownFreeBytes } from './lib/free-bytes.ts';
import { log, writtenLog } from './lib/log.ts';
import type { InventoryStatus, ServerStatus } from './lib/server-status.ts';
import { isStoreUnavailable } from './lib/store-unavailable.ts';
import type { WorkQueue } from './lib/work-queue.ts';
import { registerAlertGauges } from './metrics/alert-gauges.ts';
import { processRegistry } from './metrics/open-metrics.ts';
import { type KnownStoreFacts, storeFactsInThread } from './metrics/store-facts.ts';
import { registerStoreGauges } from './metrics/store-gauges.ts';
import { siteName } from './notices/notice-sender.ts';
import { hasRecipient, type NoticeSettings } from './notices/notice-settings.ts';
import { noticesInThread } from './notices/notices-in-thread.ts';
import {
  type OpenPackageRepository,
  openPackageRepository,
} from './package-search/open-package-repository.ts';
import { tokenKey } from './package-search/token-key.ts';
import { type PriceAnalyses, priceAnalysesInThread } from './price-history/price-analyses.ts';
import { startPriceRefresh } from './price-history/start-price-refresh.ts';
import type { loadSampleInventory } from './sample/load-sample-inventory.ts';
import { readSettings, type Settings } from './settings.ts';
import { sharedUnreachableDays } from './storage/unreachable-days.ts';
import { type RecordVisits, recordVisitsInThread } from './visits/record-visits.ts';

const ROOT = join(import.meta.dirname, '..');
const LISTS = join(ROOT, 'assets');
/** The most disk space for scaled hotel photos. */
const MAX_PHOTO_BYTES = 1_000_000_000;

/**
 * How many connections the system queues before the server accepts them. The system drops further ones, whose
 * clients retry after seconds.
 */
const BACKLOG = 4_096;

/**
 * How long a stop waits: for accepted requests, for the alerts after their longest call, for anything else,
 * and for the log. The sum is less than a supervisor waits (docs/operations-reference.md).
 */
const CLOSE_APP_MS = 11_000;
const CLOSE_ALERTS_MS = 11_000;
const CLOSE_MS = 3_000;
const WRITE_LOG_MS = 1_000;

/** Sent by supervisors, by Ctrl-C, and when a terminal closes. */
const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

const SAMPLE_WITH_FEEDS =
  "SAMPLE_INVENTORY is on, but the store holds providers' feeds, and the two cannot be mixed. Set SAMPLE_INVENTORY=off.";

// Ignore write errors on stdout and stderr.
for (const output of [process.stdout, process.stderr]) output.on('error', () => {});
const read = readSettings(process.env);
if (read.kind === 'refused') refuse(read.message);
else await start(read.settings);

/** Opens the store, listens, then loads the inventory while already serving. */
async function start(settings: Settings): Promise<void> {
  for (const warning of settings.warnings) log.warn(warning);
  // Called before workers start, so that all threads read an instant in `CLOCK` as the same offset.
  alertClock();
  const { store } = settings.config;
  // Lets all threads share which days cannot be read.
  if (store.kind === 'postgresql') store.unreachableDays = sharedUnreachableDays();
  const services = await openServices(settings);
  if (services !== null) await serve(settings, services);
}

async function serve({ config, alerts, feeds, notices }: Settings, services: Services): Promise<void> {
  const serverStatus: ServerStatus = { isStopping: false };
  const inventory: InventoryStatus = { loading: config.sampleInventory, throughDay: null, offers: null };
  const { store } = config;
  const freeBytes = () => (store.kind === 'embedded' ? knownFreeBytes(store.dataDir) : null);
  const app = await buildApp({
    ...services,
    queues: queuesOf(services),
    providerSettings: watchedProviders(feeds),
    photos: { folder: join(feeds.dataDir, 'photos'), maxBytes: MAX_PHOTO_BYTES },
    admin: {
      readFacts: services.admin.read,
      actOnFeed,
      path: config.adminPath,
      listen: config.adminPort === null ? null : { host: config.host, port: config.adminPort },
      isSecure: config.mode === 'production',
    },
    metrics: {
      registry: metricsOf(services, inventory, freeBytes),
      token: config.metricsToken,
      isOpenLocally: config.mode !== 'production',
    },
    setting: { ...config, introspection: config.mode !== 'production' },
    folders: { page: join(ROOT, 'dist/web'), lists: LISTS },
    inventory,
    serverStatus,
    freeBytes,
    isKeyMissing: () => store.kind === 'embedded' && alerts.secret === null && !hasKeyFile(store),
    now: Date.now,
    logLevel: config.logLevel,
  });
  const loadSample = config.sampleInventory ? await sampleLoader() : null;
  const closeApp = closeGracefully(app);
  let jobs: Jobs | null = null;

  /** Ends everything in order. Logs failures, and does not wait for what hangs. */
  async function stop(signal: NodeJS.Signals): Promise<void> {
    if (serverStatus.isStopping) return;
    serverStatus.isStopping = true;
    app.log.info(`Stopping on ${signal}`);
    // From here on, /readyz reports 503, so that load balancers send visitors elsewhere.
    await sleep(config.stopDelayMs);
    jobs?.imports.stop();
    const { alerts, repository } = services;
    const isAppClosed = await ended(CLOSE_APP_MS, closeApp);
    const threads = [
      async () => jobs?.prices.stop(),
      async () => jobs?.notices?.stop(),
      async () => jobs?.schedule?.stop(),
      async () => (await jobs?.sample)?.stop(),
      ...stopsOf(services),
    ];
    const areThreadsEnded = await Promise.all([
      ...threads.map((end) => ended(CLOSE_MS, end)),
      ended(CLOSE_ALERTS_MS + longestCallMs(alerts.config), alerts.service.stop),
    ]);
    const isStoreClosed = await ended(CLOSE_MS, () => repository.close());
    const hasEnded = [isAppClosed, ...areThreadsEnded, isStoreClosed].every(Boolean);
    await endsInTime(writtenLog(), WRITE_LOG_MS);
    endProcess(signal, !hasEnded);
  }

  /** Whether a step of the stop ends in time, even if it ends with an error. */
  async function ended(ms: number, step: () => Promise<unknown>): Promise<boolean> {
    return endsInTime(
      step().catch((error: unknown) => app.log.error(error)),
      ms,
    );
  }
  for (const signal of STOP_SIGNALS) process.on(signal, () => void stop(signal));

  const url = await listen(app, config);
  if (url === null) {
    await app.close();
    return await closeServices(services);
  }
  if (serverStatus.isStopping) return;
  const outbox = services.alerts.config.hasOutboxPage
    ? `No message provider is set: see the alert messages at ${url}/outbox\n`
    : '';
  // In production, the log has the URL. Printed in one write, because a reader may close the pipe after the
  // first line.
  if (config.mode !== 'production') process.stdout.write(`Skylark is at ${url}\n${outbox}`);
  jobs = startJobs(config, services, { app, inventory, serverStatus, loadSample, notices });
}

interface Services {
  repository: OpenPackageRepository;
  tokenKey: Uint8Array;
  alerts: OpenAlerts;
  priceAnalyses: PriceAnalyses;
  visits: RecordVisits;
  facts: KnownStoreFacts;
  admin: ReturnType<typeof adminFactsInThread>;
}

async function openServices({
  config,
  alerts: alertsConfig,
  feeds,
  notices,
}: Settings): Promise<Services | null> {
  const { store } = config;
  const repository = await openStore(config, feeds.charges);
  if (repository === null) return null;
  if (config.sampleInventory && (await repository.readNote(FEEDS_NOTE)) !== null) {
    refuse(SAMPLE_WITH_FEEDS);
    await repository.close();
    return null;
  }
  const key = openTokenKey(config);
  const alerts = key === null ? null : await openAlerts(config, alertsConfig);
  if (key === null || alerts === null) {
    await repository.close();
    return null;
  }
  return {
    repository,
    tokenKey: key,
    alerts,
    priceAnalyses: priceAnalysesInThread({
      store,
      listsDir: config.brand.lists.airports ?? LISTS,
      staleAfterDays: config.priceStaleAfterDays,
    }),
    visits: recordVisitsInThread({ store, isSample: config.sampleInventory }),
    facts: storeFactsInThread(store, (line) => log.warn(line)),
    admin: adminFactsInThread({
      store,
      pencePerMessage: alertsConfig.sending.pencePerMessage,
      feedLateMs: notices.feedLateMs,
    }),
  };
}

function stopsOf({ priceAnalyses, visits, facts, admin }: Services): (() => Promise<void>)[] {
  return [priceAnalyses.stop, visits.stop, facts.stop, admin.stop];
}

async function closeServices(services: Services): Promise<void> {
  for (const stop of stopsOf(services)) await stop();
  await services.alerts.service.stop();
  await services.repository.close();
}

/** The longest that a call to a provider may take. */
function longestCallMs({ sending, email }: AlertsConfig): number {
  return Math.max(sending.timeoutMs, email?.kind === 'smtp' ? email.timeoutMs : 0);
}

function queuesOf({ repository, priceAnalyses, visits, alerts }: Services): WorkQueue[] {
  const queues = [repository.queue, priceAnalyses.queue, visits.queue, alerts.queue];
  return queues.filter((queue) => queue !== null);
}

function metricsOf(
  { facts, alerts }: Services,
  inventory: InventoryStatus,
  freeBytes: () => number | null,
): Registry {
  const registry = processRegistry(inventory, freeBytes);
  registerStoreGauges(registry, facts, systemClock);
  registerAlertGauges(registry, alerts.service, systemClock);
  return registry;
}

interface RunningServer {
  app: FastifyInstance;
  inventory: InventoryStatus;
  serverStatus: Readonly<ServerStatus>;
  /** Null if the inventory is real. */
  loadSample: typeof loadSampleInventory | null;
  notices: NoticeSettings;
}

type Jobs = ReturnType<typeof startJobs>;

/** Counts the inventory, loads the sample, refreshes the price history, follows imports and notifies operators. */
function startJobs(
  config: Config,
  { repository, facts }: Services,
  { app, inventory, serverStatus, loadSample, notices: settings }: RunningServer,
) {
  const count = () => countInventory(facts, inventory, serverStatus);
  const counted = count();
  const sample = loadSample === null ? null : counted.then(() => loadSample(config, inventory, app.log));
  const loaded = (sample ?? counted).then((started) => started?.complete);
  const prices = startPriceRefresh({
    store: config.store,
    sampleSeed: config.sampleInventory ? config.sampleSeed : null,
    // The sample's prices are today's only once they have moved, which happens after the load.
    loaded: (sample ?? counted).then((started) => started?.moved),
    log: (line) => app.log.info(line),
  });
  if (sample !== null) loaded.then(count, () => {});
  const imports = watchImports(repository, async () => {
    prices.refresh();
    await count();
  });
  const { store, publicUrl } = config;
  const notices = hasRecipient(settings)
    ? noticesInThread({ store, settings, site: siteName(publicUrl) }, (line) => log.error(line))
    : null;
  const schedule = config.sampleInventory
    ? null
    : startFeedSchedule({ store, log: (level, line) => log[level](line) });
  return { sample, prices, imports, notices, schedule };
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

/** Imported only here, so that a server with a real inventory never loads the sample's code. */
async function sampleLoader(): Promise<typeof loadSampleInventory> {
  const { loadSampleInventory } = await import('./sample/load-sample-inventory.ts');
  return loadSampleInventory;
}

async function openStore({ store }: Config, charges: ChargeTable): Promise<OpenPackageRepository | null> {
  try {
    const repository = await openPackageRepository(store, ({ month, months }) =>
      log.info(`Computing the prices by day: ${month} of ${months} months`),
    );
    const onDay = (day: string) =>
      log.info(`Computing the charges at the resorts: departures up to ${day} are done`);
    await applyCharges(store, charges, onDay).catch((error: unknown) => {
      if (!isStoreUnavailable(error)) throw error;
    });
    return repository;
  } catch (error) {
    return refuse(
      store.kind === 'embedded'
        ? `DATA_DIR must be a writable folder (got "${store.dataDir}"): ${errorMessage(error)}.`
        : `DATABASE_URL cannot be used: ${errorMessage(error)}.`,
    );
  }
}

function openTokenKey({ store, tokenKey: configured }: Config): Uint8Array | null {
  try {
    return tokenKey(configured, store);
  } catch (error) {
    return refuse(`${errorMessage(error)}.`);
  }
}

type OpenAlerts = AppAlerts & AlertsInThread;

async function openAlerts({ store, brandName }: Config, config: AlertsConfig): Promise<OpenAlerts | null> {
  try {
    const inThread = await alertsInThread({ store, brandName, config }, (text) =>
      log.warn(`Price alerts: ${text}`),
    );
    if (!config.isOffered) {
      log.warn(
        'Price alerts are off: ALERT_PROVIDER is local, which delivers no messages, and this is production. Set it to meta or twilio.',
      );
    }
    const { webPush } = config;
    const webPushKey = webPush === null ? null : (readVapidKeys(webPush.key, store)?.publicKey ?? null);
    return { ...inThread, config, webPushKey };
  } catch (error) {
    return refuse(`Price alerts cannot start: ${errorMessage(error)}.`);
  }
}

async function listen(app: FastifyInstance, { port, host }: Config): Promise<string | null> {
  try {
    return await app.listen({
      port,
      host,
      backlog: BACKLOG,
      listenTextResolver: (address) => `Listening at ${address}`,
    });
  } catch (error) {
    if (errorCode(error) === 'EADDRINUSE') {
      return refuse(
        `PORT must be a free port, such as ${port + 1} (got "${port}", which another program uses).`,
      );
    }
    if (errorCode(error) === 'EACCES') {
      return refuse(`PORT must be 1024 or higher for this user (got "${port}").`);
    }
    return refuse(`HOST must be an address of this machine (got "${host}"): ${errorMessage(error)}.`);
  }
}

/** Prints why the server cannot start. The process then ends with code 1. */
function refuse(sentence: string): null {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
  return null;
}

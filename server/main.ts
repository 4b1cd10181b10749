import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { AlertsConfig } from './alerts/alerts-config.ts';
import { alertsInThread } from './alerts/alerts-in-thread.ts';
import type { AppAlerts } from './alerts/http/add-alerts.ts';
import { buildApp } from './app.ts';
import type { Config } from './config.ts';
import type { FeedSettings } from './feed/feed-settings.ts';
import { watchImports } from './feed/watch-imports.ts';
import { closeGracefully } from './http/close-gracefully.ts';
import { FEEDS_NOTE } from './inventory/inventory-notes.ts';
import { errorCode, errorMessage } from './lib/error-message.ts';
import { log } from './lib/log.ts';
import type { InventoryStatus, ServerStatus } from './lib/server-status.ts';
import { registerAlertGauges } from './metrics/alert-gauges.ts';
import { countInventory } from './metrics/count-inventory.ts';
import { processRegistry } from './metrics/open-metrics.ts';
import { storeFactsInThread } from './metrics/store-facts.ts';
import { registerStoreGauges } from './metrics/store-gauges.ts';
import { openPackageRepository } from './package-search/open-package-repository.ts';
import type { PackageRepository } from './package-search/package-repository.ts';
import { tokenKey } from './package-search/token-key.ts';
import { priceAnalysesInThread } from './price-history/price-analyses.ts';
import { startPriceRefresh } from './price-history/start-price-refresh.ts';
import { readSettings, type Settings } from './settings.ts';
import { recordVisitsInThread } from './visits/record-visits.ts';

const ROOT = join(import.meta.dirname, '..');

const read = readSettings(process.env);
if (read.kind === 'refused') refuse(read.message);
else await start(read.settings);

/** Settings, then the store, then the address; the inventory loads behind an open door. */
async function start({ config, alerts: alertsConfig, feeds, warnings }: Settings): Promise<void> {
  for (const warning of warnings) process.stderr.write(`${warning}\n`);
  const repository = await openStore(config);
  if (repository === null) return;
  if (config.sampleInventory && (await repository.readNote(FEEDS_NOTE)) !== null) {
    refuse(
      "SAMPLE_INVENTORY is on, and the store holds providers' feeds, which the sample never stands beside: set SAMPLE_INVENTORY=off.",
    );
    return await repository.close();
  }
  const key = openTokenKey(config);
  const alerts = key === null ? null : await openAlerts(config, alertsConfig);
  if (key === null || alerts === null) await repository.close();
  else await serve(config, repository, alerts, key, feeds);
}

async function serve(
  config: Config,
  repository: PackageRepository,
  alerts: AppAlerts,
  key: Uint8Array,
  feeds: FeedSettings,
): Promise<void> {
  const lifecycle: ServerStatus = { isStopping: false };
  const inventory: InventoryStatus = { loading: config.sampleInventory, throughDay: null, offers: null };
  const lists = join(ROOT, 'assets');
  const priceAnalyses = priceAnalysesInThread({
    store: config.store,
    listsDir: config.brand.lists.airports ?? lists,
  });
  const visits = recordVisitsInThread(config.store);
  const facts = storeFactsInThread(config.store, (line) => log.warn(line));
  const registry = processRegistry(inventory);
  registerStoreGauges(registry, facts);
  registerAlertGauges(registry, alerts.service);
  const app = await buildApp({
    repository,
    priceAnalyses,
    visits,
    alerts,
    providerSettings: feeds.providers.providers,
    metrics: { registry, token: config.metricsToken },
    setting: { ...config, introspection: config.mode !== 'production' },
    tokenKey: key,
    folders: { page: join(ROOT, 'dist/web'), lists },
    inventory,
    serverStatus: lifecycle,
    now: Date.now,
    logLevel: config.logLevel,
  });
  const close = closeGracefully(app);
  const address = await listen(app, config);
  if (address === null) {
    await app.close();
    await facts.stop();
    await alerts.service.stop();
    await repository.close();
    return;
  }
  process.stdout.write(`Skylark is at ${address}\n`);
  const counted = countInventory(facts, inventory, lifecycle);
  const sample = config.sampleInventory ? counted.then(() => startSample(config, inventory, app)) : null;
  const loaded = (sample ?? counted).then((started) => started?.complete);
  const prices = startPriceRefresh({
    store: config.store,
    sampleSeed: config.sampleInventory ? config.sampleSeed : null,
    loaded,
    log: (line) => app.log.info(line),
  });
  if (sample !== null) {
    loaded.then(
      () => countInventory(facts, inventory, lifecycle),
      () => {},
    );
  }
  const imports = watchImports(repository, async () => {
    await prices.refresh();
    await countInventory(facts, inventory, lifecycle);
  });

  async function stop(signal: string): Promise<void> {
    if (lifecycle.isStopping) return;
    lifecycle.isStopping = true;
    app.log.info(`Stopping on ${signal}`);
    // Whoever asks whether it is ready is told first, and has this long to send others elsewhere.
    await sleep(config.stopDelayMs);
    imports.stop();
    await close();
    await prices.stop();
    await (await sample)?.stop();
    await priceAnalyses.stop();
    await visits.stop();
    await facts.stop();
    await alerts.service.stop();
    await repository.close();
    process.exit(0);
  }
  process.on('SIGTERM', (signal) => void stop(signal));
  process.on('SIGINT', (signal) => void stop(signal));
}

/** A server with an inventory of its own never reads the sample's code. */
async function startSample(config: Config, inventory: InventoryStatus, app: FastifyInstance) {
  const { loadSampleInventory } = await import('./sample/load-sample-inventory.ts');
  return loadSampleInventory(config, inventory, app.log);
}

async function openStore({ store }: Config): Promise<PackageRepository | null> {
  try {
    return await openPackageRepository(store);
  } catch (error) {
    return refuse(
      store.kind === 'embedded'
        ? `DATA_DIR is "${store.dataDir}", and takes a folder that can be written to: ${errorMessage(error)}.`
        : `DATABASE_URL names a PostgreSQL that cannot be used: ${errorMessage(error)}.`,
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

async function openAlerts({ store, brandName }: Config, config: AlertsConfig): Promise<AppAlerts | null> {
  try {
    const service = await alertsInThread({ store, brandName, config }, (text) =>
      log.warn(`Price alerts: ${text}`),
    );
    if (!config.isOffered) {
      process.stderr.write(
        'Price alerts are off: ALERT_PROVIDER is local, which delivers to nobody, and this is production. Choose meta, twilio or bird.\n',
      );
    }
    return { service, config };
  } catch (error) {
    return refuse(`The price alerts cannot start: ${errorMessage(error)}.`);
  }
}

async function listen(app: FastifyInstance, { port, host }: Config): Promise<string | null> {
  try {
    return await app.listen({ port, host, listenTextResolver: (address) => `Listening at ${address}` });
  } catch (error) {
    if (errorCode(error) === 'EADDRINUSE') {
      return refuse(
        `PORT is "${port}", which another program uses: it takes a free port, such as ${port + 1}.`,
      );
    }
    if (errorCode(error) === 'EACCES') {
      return refuse(`PORT is "${port}", which this user may not open: it takes a port from 1024 up.`);
    }
    return refuse(`HOST is "${host}", and takes an address of this machine: ${errorMessage(error)}.`);
  }
}

/** Says in one sentence why there is no server; the process then ends by itself with code 1. */
function refuse(sentence: string): null {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
  return null;
}

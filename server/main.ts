import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { AppAlerts } from './alerts/add-alerts.ts';
import { type AlertsConfig, parseAlertsConfig } from './alerts/alerts-config.ts';
import { alertsInThread } from './alerts/alerts-in-thread.ts';
import { buildApp } from './app.ts';
import { closeGracefully } from './close-gracefully.ts';
import { type Config, parseConfig } from './config.ts';
import type { InventoryStatus } from './inventory-status.ts';
import { openPackageRepository } from './package-search/open-package-repository.ts';
import type { PackageRepository } from './package-search/package-repository.ts';
import { tokenKey } from './package-search/token-key.ts';
import { priceAnalysesInThread } from './price-history/price-analyses.ts';
import { startPriceRefresh } from './price-history/start-price-refresh.ts';
import { recordVisitsInThread } from './visits/record-visits.ts';

const ROOT = join(import.meta.dirname, '..');

const parsed = parseConfig(process.env);
const parsedAlerts = parseAlertsConfig(process.env);
if (parsed.kind === 'refused') refuse(parsed.message);
else if (parsedAlerts.kind === 'refused') refuse(parsedAlerts.message);
else await start(parsed.config, parsedAlerts.config);

/** Settings, then the store, then the address; the inventory loads behind an open door. */
async function start(config: Config, alertsConfig: AlertsConfig): Promise<void> {
  const repository = await openStore(config);
  if (repository === null) return;
  const alerts = await openAlerts(config, alertsConfig);
  if (alerts === null) await repository.close();
  else await serve(config, repository, alerts);
}

async function serve(config: Config, repository: PackageRepository, alerts: AppAlerts): Promise<void> {
  const inventory: InventoryStatus = { loading: config.sampleInventory, throughDay: null, offers: 0 };
  const lists = join(ROOT, 'assets');
  const priceAnalyses = priceAnalysesInThread({ store: config.store, listsDir: lists });
  const visits = recordVisitsInThread(config.store);
  const app = await buildApp({
    repository,
    priceAnalyses,
    visits,
    alerts,
    setting: { ...config, introspection: config.mode !== 'production' },
    tokenKey: tokenKey(config.tokenKey, config.store),
    folders: { page: join(ROOT, 'dist/web'), lists },
    inventory,
    now: Date.now,
    log: true,
  });
  const close = closeGracefully(app);
  const address = await listen(app, config);
  if (address === null) {
    await app.close();
    await alerts.service.stop();
    await repository.close();
    return;
  }
  process.stdout.write(`Skylark is at ${address}\n`);
  const sample = config.sampleInventory ? await startSample(config, inventory, app) : null;
  const prices = startPriceRefresh({
    store: config.store,
    sampleSeed: config.sampleInventory ? config.sampleSeed : null,
    loaded: sample?.complete ?? Promise.resolve(),
    log: (line) => app.log.info(line),
  });

  let stopping = false;
  async function stop(signal: string): Promise<void> {
    if (stopping) return;
    stopping = true;
    app.log.info(`Stopping on ${signal}`);
    await close();
    await prices.stop();
    await sample?.stop();
    await priceAnalyses.stop();
    await visits.stop();
    await alerts.service.stop();
    await repository.close();
    process.exit(0);
  }
  process.on('SIGTERM', (signal) => void stop(signal));
  process.on('SIGINT', (signal) => void stop(signal));
}

/** A server with an inventory of its own never reads the sample's code. */
async function startSample(config: Config, inventory: InventoryStatus, app: FastifyInstance) {
  const { loadSampleInventory } = await import('./load-sample-inventory.ts');
  return loadSampleInventory(config, inventory, app.log);
}

async function openStore({ store }: Config): Promise<PackageRepository | null> {
  try {
    return await openPackageRepository(store);
  } catch (error) {
    return refuse(
      `DATA_DIR is "${store.dataDir}", and takes a folder that can be written to: ${messageOf(error)}.`,
    );
  }
}

async function openAlerts({ store, brandName }: Config, config: AlertsConfig): Promise<AppAlerts | null> {
  try {
    const service = await alertsInThread({ store, brandName, config }, (text) => {
      process.stderr.write(`Price alerts: ${text}\n`);
    });
    if (!config.isOffered) {
      process.stderr.write(
        'Price alerts are off: ALERT_PROVIDER is local, which delivers to nobody, and this is production. Choose meta, twilio or bird.\n',
      );
    }
    return { service, config };
  } catch (error) {
    return refuse(`The price alerts cannot start: ${messageOf(error)}.`);
  }
}

async function listen(app: FastifyInstance, { port, host }: Config): Promise<string | null> {
  try {
    return await app.listen({ port, host, listenTextResolver: (address) => `Listening at ${address}` });
  } catch (error) {
    if (codeOf(error) === 'EADDRINUSE') {
      return refuse(
        `PORT is "${port}", which another program uses: it takes a free port, such as ${port + 1}.`,
      );
    }
    if (codeOf(error) === 'EACCES') {
      return refuse(`PORT is "${port}", which this user may not open: it takes a port from 1024 up.`);
    }
    return refuse(`HOST is "${host}", and takes an address of this machine: ${messageOf(error)}.`);
  }
}

/** Says in one sentence why there is no server; the process then ends by itself with code 1. */
function refuse(sentence: string): null {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
  return null;
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const message = error.message.replace(/\.$/, '');
  return error.cause === undefined ? message : `${message}: ${messageOf(error.cause)}`;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

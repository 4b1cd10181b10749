import { join } from 'node:path';
import type { Registry } from 'prom-client';
import { ADMIN_COMMANDS } from './admin/admin-commands.ts';
import { hasKeyFile } from './alerts/keys/alert-keys.ts';
import { buildApp } from './app.ts';
import { type BackgroundJobs, startBackgroundJobs } from './background-jobs.ts';
import { alertClock } from './environment/clock.ts';
import { watchedProviders } from './feed/feed-settings.ts';
import type { InventoryStatus, ServerHealth, ServerStatus } from './http/health-plugin.ts';
import { systemClock } from './lib/clock.ts';
import { commandLine } from './lib/command-line.ts';
import { knownFreeBytes } from './lib/free-bytes.ts';
import { inTime } from './lib/in-time.ts';
import { log } from './lib/log.ts';
import { listen } from './listen.ts';
import { registerAlertGauges } from './metrics/alert-gauges.ts';
import { processRegistry } from './metrics/open-metrics.ts';
import { registerStoreGauges } from './metrics/store-gauges.ts';
import { LISTS, openServices, queuesOf, type Services } from './services.ts';
import { readSettings, type Settings } from './settings.ts';
import { StartRefused } from './start-refused.ts';
import { closeServices, stopOnSignal } from './stop.ts';
import { sharedUnreachableDays } from './storage/unreachable-days.ts';

/** The most disk space for scaled hotel photos. */
const MAX_PHOTO_BYTES = 1_000_000_000;

commandLine(
  `node server/main.ts   runs the server with the settings in the environment (docs/configuration.md)`,
);
// Ignore write errors on stdout and stderr.
for (const output of [process.stdout, process.stderr]) output.on('error', () => {});
try {
  const read = readSettings(process.env);
  if (read.kind === 'refused') throw new StartRefused(read.message);
  await start(read.settings);
} catch (error) {
  if (!(error instanceof StartRefused)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

/** Opens the store, listens, then loads the inventory while already serving. */
async function start(settings: Settings): Promise<void> {
  const { config } = settings;
  for (const warning of settings.warnings) log.warn(warning);
  // Called before workers start, so that all threads read an instant in `CLOCK` as the same offset.
  alertClock();
  // Lets all threads share which days cannot be read.
  if (config.store.kind === 'postgresql') config.store.unreachableDays = sharedUnreachableDays();
  const services = await openServices(settings);
  const serverStatus: ServerStatus = { isStopping: false };
  const inventory: InventoryStatus = { loading: config.sampleInventory, throughDay: null, offers: null };
  const app = await openApp(settings, services, { inventory, serverStatus });
  let jobs: BackgroundJobs | null = null;
  stopOnSignal({ app, services, jobs: () => jobs, serverStatus, stopDelayMs: config.stopDelayMs });
  try {
    const url = await listen(app, config);
    if (serverStatus.isStopping) return;
    if (config.mode !== 'production') printUrl(url, services.alerts.config.hasOutboxPage);
  } catch (error) {
    await app.close();
    await closeServices(services);
    throw error;
  }
  jobs = startBackgroundJobs(settings, services, app, inventory, serverStatus);
}

async function openApp(
  { config, alerts, feeds }: Settings,
  services: Services,
  status: Pick<ServerHealth, 'inventory' | 'serverStatus'>,
) {
  const { store } = config;
  const isProduction = config.mode === 'production';
  const firstFacts = inTime(services.facts.refresh, systemClock);
  const health = {
    ...status,
    freeBytes: () => (store.kind === 'embedded' ? knownFreeBytes(store.dataDir) : null),
    faultyServers: () => [...services.repository.faults()].map(([name, fault]) => ({ name, fault })),
    isKeyMissing: () => store.kind === 'embedded' && alerts.secret === null && !hasKeyFile(store),
    async problemsInStore() {
      return (services.facts.latest() ?? (await firstFacts()))?.problems ?? [];
    },
  };
  return buildApp({
    ...services,
    queues: queuesOf(services),
    providers: watchedProviders(feeds),
    photos: { folder: join(feeds.dataDir, 'photos'), maxBytes: MAX_PHOTO_BYTES },
    admin: {
      readFacts: services.admin.read,
      commands: ADMIN_COMMANDS,
      path: config.adminPath,
      listen: config.adminPort === null ? null : { host: config.host, port: config.adminPort },
      isSecure: isProduction,
    },
    metrics: {
      registry: metricsOf(services, health),
      token: config.metricsToken,
      isOpenLocally: !isProduction,
    },
    setting: { ...config, introspection: !isProduction },
    folders: { page: join(import.meta.dirname, '../dist/web'), lists: LISTS },
    health,
    now: Date.now,
    logLevel: config.logLevel,
  });
}

function metricsOf({ facts, alerts }: Services, { inventory, freeBytes }: ServerHealth): Registry {
  const registry = processRegistry(inventory, freeBytes);
  registerStoreGauges(registry, facts, systemClock);
  registerAlertGauges(registry, alerts.service, systemClock);
  return registry;
}

/** In production, the log has the URL. */
function printUrl(url: string, hasOutbox: boolean): void {
  const outbox = hasOutbox ? `No message provider is set: see the alert messages at ${url}/outbox\n` : '';
  // In one write, because a reader may close the pipe after the first line.
  process.stdout.write(`Skylark is at ${url}\n${outbox}`);
}

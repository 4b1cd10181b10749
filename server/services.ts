import { join } from 'node:path';
import { adminFactsIn } from './admin/admin-facts-in-thread.ts';
import type { AlertsConfig } from './alerts/alerts-config.ts';
import { type AlertsInThread, alertsIn } from './alerts/alerts-in-thread.ts';
import type { AppAlerts } from './alerts/http/alerts-plugin.ts';
import { readVapidKeys } from './alerts/keys/vapid-key.ts';
import type { Config } from './config.ts';
import { FEEDS_NOTE } from './inventory/inventory-notes.ts';
import { causesOf, errorMessage } from './lib/error-message.ts';
import { log } from './lib/log.ts';
import type { WorkQueue } from './lib/work-queue.ts';
import { type WorkerThread, workerThread } from './lib/worker-rpc.ts';
import { type KnownStoreFacts, storeFactsIn } from './metrics/store-facts.ts';
import { siteName } from './notices/notice-sender.ts';
import {
  type OpenPackageRepository,
  openPackageRepository,
} from './package-search/store/open-package-repository.ts';
import { tokenKey } from './package-search/tokens/token-key.ts';
import { type PriceAnalyses, priceAnalysesIn } from './price-history/price-analyses.ts';
import { type PriceRecordApi, priceRecordIn } from './price-record/record-store.ts';
import type { Settings } from './settings.ts';
import { StartRefused } from './start-refused.ts';
import { checkServers, isLasting, serverName } from './storage/postgres/check-server.ts';
import { explainedFault, faultSentences } from './storage/postgres/unusable-server.ts';
import { type RecordVisits, recordVisitsIn } from './visits/record-visits.ts';
import type { BackgroundData } from './workers/background.ts';
import type { ReadersData } from './workers/readers.ts';

/** The folder of the default lists. */
export const LISTS = join(import.meta.dirname, '../assets');

const SAMPLE_WITH_FEEDS =
  "SAMPLE_INVENTORY is on, but the store holds providers' feeds, and the two cannot be mixed. Set SAMPLE_INVENTORY=off.";

/** The store, and what runs in the two threads beside the main one. */
export interface Services {
  repository: OpenPackageRepository;
  tokenKey: Uint8Array;
  alerts: AppAlerts & AlertsInThread;
  priceAnalyses: PriceAnalyses;
  priceRecord: PriceRecordApi;
  visits: RecordVisits;
  facts: KnownStoreFacts;
  admin: ReturnType<typeof adminFactsIn>;
  /** For long reads. */
  readers: WorkerThread;
  /** For all writes but imports. */
  background: WorkerThread;
}

/** Throws `StartRefused` if a setting cannot be used. */
export async function openServices({ config, alerts, notices }: Settings): Promise<Services> {
  const { store, brandName, publicUrl, sampleInventory } = config;
  const readers = workerThread(new URL('./workers/readers.ts', import.meta.url), {
    store,
    listsDir: config.brand.lists.airports ?? LISTS,
    staleAfterDays: config.priceStaleAfterDays,
    feedLateMs: notices.feedLateMs,
    prices: alerts.sending,
  } satisfies ReadersData);
  const background = workerThread(new URL('./workers/background.ts', import.meta.url), {
    store,
    alerts: { store, brandName, config: alerts },
    isSample: sampleInventory,
    notices,
    site: siteName(publicUrl),
  } satisfies BackgroundData);
  const repository = await openStore(config, readers);
  try {
    if (sampleInventory && (await repository.readNote(FEEDS_NOTE)) !== null)
      throw new StartRefused(SAMPLE_WITH_FEEDS);
    return {
      repository,
      tokenKey: await openTokenKey(config),
      alerts: await openAlerts(config, alerts, background),
      priceAnalyses: priceAnalysesIn(readers),
      priceRecord: priceRecordIn(readers),
      visits: recordVisitsIn(background),
      facts: storeFactsIn(readers, (line) => log.warn(line)),
      admin: adminFactsIn(readers),
      readers,
      background,
    };
  } catch (error) {
    await repository.close();
    throw error;
  }
}

export function queuesOf({ repository, priceAnalyses, visits, alerts }: Services): WorkQueue[] {
  const queues = [repository.queue, priceAnalyses.queue, visits.queue, alerts.queue];
  return queues.filter((queue) => queue !== null);
}

async function openStore({ store }: Config, readers: WorkerThread): Promise<OpenPackageRepository> {
  if (store.kind === 'postgresql') {
    const { primary, replicas } = await checkServers(store);
    if (primary.fault !== null && isLasting(primary.fault))
      throw new StartRefused(faultSentences(primary.name, primary.fault));
    for (const { name, fault } of replicas) if (fault !== null) log.warn(faultSentences(name, fault));
  }
  try {
    return await openPackageRepository(store, readers);
  } catch (error) {
    throw new StartRefused(
      store.kind === 'embedded'
        ? `DATA_DIR must be a writable folder (got "${store.dataDir}"): ${errorMessage(error)}.`
        : unopenedStore(error, store.url),
    );
  }
}

/** Why a PostgreSQL could not be opened, in its own words and with a remedy. */
function unopenedStore(error: unknown, url: string): string {
  const cause = causesOf(error).at(-1) ?? error;
  const fault = explainedFault(cause, url);
  return fault === null
    ? `DATABASE_URL cannot be used: ${errorMessage(cause)}.`
    : faultSentences(serverName(null), fault);
}

async function openTokenKey({ store, tokenKey: configured }: Config): Promise<Uint8Array> {
  try {
    return await tokenKey(configured, store);
  } catch (error) {
    throw new StartRefused(`${errorMessage(error)}.`);
  }
}

async function openAlerts(
  { store }: Config,
  config: AlertsConfig,
  background: WorkerThread,
): Promise<Services['alerts']> {
  try {
    const inThread = await alertsIn(background, (text) => log.warn(`Price alerts: ${text}`));
    if (!config.isOffered) {
      log.warn(
        'Price alerts are off: ALERT_PROVIDER is local, which delivers no messages, and this is production. Set it to meta or twilio.',
      );
    }
    const { webPush } = config;
    const webPushKey = webPush === null ? null : (readVapidKeys(webPush.key, store)?.publicKey ?? null);
    return { ...inThread, config, webPushKey };
  } catch (error) {
    throw new StartRefused(`Price alerts cannot start: ${errorMessage(error)}.`);
  }
}

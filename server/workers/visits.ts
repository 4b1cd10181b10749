import { workerData } from 'node:worker_threads';
import { readFeedSettings, watchedProviders } from '../feed/feed-settings.ts';
import { log } from '../lib/log.ts';
import { serveWorker } from '../lib/worker-rpc.ts';
import { openDatabase } from '../storage/open/database.ts';
import { type PriceCheckOptions, priceChecks } from '../visits/price-checks.ts';
import type { VisitsWorkerApi, VisitsWorkerData } from '../visits/record-visits.ts';
import { requestPrice } from '../visits/request-price.ts';
import { visitBatches } from '../visits/visit-batches.ts';
import { visitWriter } from '../visits/visit-table.ts';

type Providers = Pick<PriceCheckOptions, 'checkOf' | 'ask'>;

const { store, isSample } = workerData as VisitsWorkerData;

/** Checks of this period are recorded together, because an import may delay each write by a second. */
const TOGETHER_MS = 2_000;

const providers = isSample ? await sampleProviders() : providersOfFile();

let api: VisitsWorkerApi | null = null;

serveWorker<VisitsWorkerApi>(() => {
  api ??= open();
  return api;
});

function open(): VisitsWorkerApi {
  const database = openDatabase(store, { interactive: true, isExisting: true });
  const check = priceChecks(database, {
    ...providers,
    isRecorded: !isSample,
    soon: (task) => setTimeout(() => void task(), TOGETHER_MS),
    monotonicNow: () => performance.now(),
    log: (line) => log.warn(line),
  });
  return { record: visitBatches(visitWriter(database), setImmediate), check };
}

/** Imported only here, so that a server with a real inventory never loads the sample's code. */
async function sampleProviders(): Promise<Providers> {
  const { SAMPLE_CHECK, askSampleProvider } = await import('../sample/sample-price-check.ts');
  return { checkOf: () => SAMPLE_CHECK, ask: askSampleProvider };
}

function providersOfFile(): Providers {
  const read = readFeedSettings(process.env);
  if (read.kind === 'refused') return { checkOf: () => null, ask: () => Promise.reject() };
  const { settings } = read;
  const providers = watchedProviders(settings);
  return {
    checkOf: (code) => providers().find((one) => one.code === code)?.priceCheck ?? null,
    ask: requestPrice(settings.providers.folder),
  };
}

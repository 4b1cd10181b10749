import { workerData } from 'node:worker_threads';
import { applyCharges } from '../ingest/apply-charges.ts';
import type { CompletionApi, CompletionData } from '../ingest/complete-store.ts';
import { log } from '../lib/log.ts';
import { serveWorker } from '../lib/worker-rpc.ts';
import { openDatabase } from '../storage/open/database.ts';

const { store, charges } = workerData as CompletionData;

const api: CompletionApi = {
  async complete() {
    await using database = await openDatabase(store, { isExisting: true });
    if (!(await database.tryLock('store completion'))) return 'elsewhere';
    await applyCharges(store, charges, {
      onDay: (day) => log.info(`Applying the charges at the resorts: departures before ${day} are done`),
    });
    return 'done';
  },
};

serveWorker({ 'store completion': { open: async () => api } });

import { workerData } from 'node:worker_threads';
import { readAdminFacts } from '../admin/admin-facts.ts';
import type { AdminWorkerApi, AdminWorkerData } from '../admin/admin-facts-in-thread.ts';
import { alertClock } from '../environment/clock.ts';
import { listedProviders } from '../feed/feed-settings.ts';
import { serveWorker } from '../lib/worker-rpc.ts';
import { openDatabaseForReading } from '../storage/open/database.ts';

const { store, pencePerMessage, feedLateMs } = workerData as AdminWorkerData;
const database = openDatabaseForReading(store);

serveWorker<AdminWorkerApi>(() => ({
  read() {
    const providers = listedProviders(process.env);
    return readAdminFacts(database, store, { pencePerMessage, feedLateMs, providers, now: alertClock() });
  },
}));

import { workerData } from 'node:worker_threads';
import { readAdminFacts } from '../admin/admin-facts.ts';
import type { AdminWorkerApi, AdminWorkerData } from '../admin/admin-facts-in-thread.ts';
import { alertClock } from '../environment/clock.ts';
import { readFeedSettings } from '../feed/feed-settings.ts';
import { serveWorker } from '../lib/worker-rpc.ts';
import { openDatabaseForReading } from '../storage/open/database.ts';

const { store, pencePerMessage, feedLateMs } = workerData as AdminWorkerData;
const database = openDatabaseForReading(store);

serveWorker<AdminWorkerApi>(() => ({
  read() {
    // Reads the settings at each call, because they may have changed.
    const feeds = readFeedSettings(process.env);
    return readAdminFacts(database, store, {
      feeds: feeds.kind === 'refused' ? null : feeds.settings,
      feedLateMs,
      pencePerMessage,
      now: alertClock(),
    });
  },
}));

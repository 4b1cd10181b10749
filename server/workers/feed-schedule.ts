import { workerData } from 'node:worker_threads';
import { alertClock } from '../environment/clock.ts';
import type { ScheduleWorkerApi } from '../feed/feed-schedule.ts';
import { readFeedSettings } from '../feed/feed-settings.ts';
import { plannedWork } from '../feed/next-work.ts';
import { serveWorker } from '../lib/worker-rpc.ts';
import { openDatabase } from '../storage/open/database.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import type { StoreAddress } from '../storage/store-address.ts';

const store = workerData as StoreAddress;

/** Kept open, because its lock makes this server the leader. */
let connection: SqlDatabase | null = null;

serveWorker<ScheduleWorkerApi>(
  () => ({
    due() {
      // An invalid providers.json changes nothing; the doctor and notices report it.
      const feeds = readFeedSettings(process.env);
      if (feeds.kind === 'refused') return [];
      try {
        connection ??= openDatabase(store, { isExisting: true });
        if (!connection.tryLock('feed schedule')) return [];
        const now = alertClock();
        const { providers, dataDir } = feeds.settings;
        return plannedWork(connection, { providers, dataDir, now })
          .filter(({ work }) => work.at <= now)
          .map(({ code }) => code);
      } catch (error) {
        closeStore();
        throw error;
      }
    },
  }),
  closeStore,
);

function closeStore(): void {
  connection?.close();
  connection = null;
}

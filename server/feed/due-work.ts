import { openDatabase } from '../storage/open/database.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import type { StoreAddress } from '../storage/store-address.ts';
import type { ScheduleWorkerApi } from './feed-schedule.ts';
import { readFeedSettings } from './feed-settings.ts';
import { plannedWork } from './next-work.ts';

/** Reads the providers with due work, if this server leads: it has a lock in the store until it closes. */
export function scheduleReader(
  store: StoreAddress,
  clock: () => number,
): ScheduleWorkerApi & { close(): Promise<void> } {
  /** Kept open, because its lock makes this server the leader. */
  let database: SqlDatabase | null = null;

  async function close(): Promise<void> {
    const open = database;
    database = null;
    await open?.close();
  }

  return {
    async due() {
      // An invalid providers.json changes nothing; the doctor and notices report it.
      const feeds = readFeedSettings(process.env);
      if (feeds.kind === 'refused') return [];
      try {
        database ??= await openDatabase(store, { isExisting: true });
        if (!(await database.tryLock('feed schedule'))) return [];
        const now = clock();
        const { providers, dataDir } = feeds.settings;
        const planned = await plannedWork(database, { providers, dataDir, now });
        return planned.filter(({ work }) => work.at <= now).map(({ code }) => code);
      } catch (error) {
        await close();
        throw error;
      }
    },
    close,
  };
}

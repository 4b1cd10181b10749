import { CITUS_SEARCHING, HAS_CITUS } from '../citus/settings.ts';
import { requireUsable } from '../postgres/check-server.ts';
import { type ReadPool, readPool } from '../postgres/read-pool.ts';
import type { PostgresAddress } from '../store-address.ts';
import { unreachableDays } from '../unreachable-days.ts';

/** How often to check whether the database has Citus. */
const LOOK_EVERY_MS = 10_000;
const LOOK_AGAIN_MS = 1_000;

const LOOK = { text: HAS_CITUS, values: [] };

/**
 * Opens a store for searches. If the primary has Citus, now or later, reads are guarded against failures of
 * its workers. `versionNote` is the name of the note that every import changes.
 */
export async function openReadPool(store: PostgresAddress, versionNote: string): Promise<ReadPool> {
  const pool = readPool(store, CITUS_SEARCHING, requireUsable);
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function lookForCitus(): Promise<void> {
    const found = await pool.readNewest(({ query }) => query(LOOK)).catch(() => null);
    if (isClosed) return;
    if (found === null || found.length === 0) {
      timer = setTimeout(() => void lookForCitus(), found === null ? LOOK_AGAIN_MS : LOOK_EVERY_MS).unref();
      return;
    }
    const { guardReads } = await import('../citus/guard-reads.ts');
    const days = store.unreachableDays === undefined ? null : unreachableDays(store.unreachableDays);
    if (!isClosed) pool.guardWith(guardReads({ url: store.url, days, versionNote, abandon: pool.abandon }));
  }

  await lookForCitus();
  return {
    ...pool,
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await pool.close();
    },
  };
}

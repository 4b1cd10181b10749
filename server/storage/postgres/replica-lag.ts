import type { PostgresServer } from './read-pool.ts';

/** How far behind the primary a replica may be and still be asked, in milliseconds. */
const MOST_LAG = 10_000;

/** Between two looks, in milliseconds. */
const LOOK_EVERY = 2_000;

/** Where the primary's log stood at a time. */
interface Place {
  at: number;
  bytes: number;
}

/**
 * Marks the replicas that lag: those that have not replayed what the primary had written `MOST_LAG` ago. A clock on
 * the replica alone could not tell a quiet primary from a lost one. Where the primary does not answer nobody lags:
 * there is nothing newer to be had.
 */
export function watchLag(
  primary: PostgresServer,
  replicas: readonly PostgresServer[],
): { stop(): void; look(now: number): Promise<void> } {
  let places: Place[] = [];

  async function look(now: number): Promise<void> {
    const bytes = await written(primary);
    if (bytes === null) {
      places = [];
      for (const replica of replicas) replica.isLagging = false;
      return;
    }
    places.push({ at: now, bytes });
    const due = places.findLast(({ at }) => at <= now - MOST_LAG);
    if (due === undefined) return;
    places = places.filter(({ at }) => at >= due.at);
    await Promise.all(
      replicas.map(async (replica) => {
        const played = await replayed(replica);
        replica.isLagging = played !== null && played < due.bytes;
      }),
    );
  }

  const timer = setInterval(() => void look(performance.now()), LOOK_EVERY);
  timer.unref();
  return { look, stop: () => clearInterval(timer) };
}

function written(primary: PostgresServer): Promise<number | null> {
  return numberFrom(primary, `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as bytes`);
}

/** Null where it does not answer, or replays nothing since it is no replica. */
function replayed(replica: PostgresServer): Promise<number | null> {
  return numberFrom(replica, `select pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::float8 as bytes`);
}

async function numberFrom({ pool, isSilent }: PostgresServer, sql: string): Promise<number | null> {
  if (isSilent) return null;
  try {
    const { rows } = await pool.query<{ bytes: number | null }>(sql);
    return rows[0]?.bytes ?? null;
  } catch {
    return null;
  }
}

import type { PostgresServer } from './server.ts';

/** A replica that is further behind the primary, in milliseconds, is lagging. */
const MAX_LAG = 10_000;

/** Between two checks, in milliseconds. */
const CHECK_INTERVAL = 2_000;

/** The primary's position in its write-ahead log at a time. */
interface LogPosition {
  at: number;
  bytes: number;
}

/**
 * Marks the replicas that lag: those that have not replayed what the primary had written `MAX_LAG` ago. A replica's
 * clock alone could not distinguish a quiet primary from a lost one. If the primary does not respond, no replica
 * lags: nothing newer is available.
 */
export function watchReplicaLag(
  primary: PostgresServer,
  replicas: readonly PostgresServer[],
): { stop(): void; check(now: number): Promise<void> } {
  let positions: LogPosition[] = [];

  async function check(now: number): Promise<void> {
    const bytes = await writtenBytes(primary);
    if (bytes === null) {
      positions = [];
      for (const replica of replicas) replica.isLagging = false;
      return;
    }
    positions.push({ at: now, bytes });
    const due = positions.findLast(({ at }) => at <= now - MAX_LAG);
    if (due === undefined) return;
    positions = positions.filter(({ at }) => at >= due.at);
    await Promise.all(
      replicas.map(async (replica) => {
        const replayed = await replayedBytes(replica);
        replica.isLagging = replayed !== null && replayed < due.bytes;
      }),
    );
  }

  const timer = setInterval(() => void check(performance.now()), CHECK_INTERVAL);
  timer.unref();
  return { check, stop: () => clearInterval(timer) };
}

function writtenBytes(primary: PostgresServer): Promise<number | null> {
  return readBytes(primary, `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as bytes`);
}

/** Null if the server does not respond, or replays nothing because it is not a replica. */
function replayedBytes(replica: PostgresServer): Promise<number | null> {
  return readBytes(replica, `select pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::float8 as bytes`);
}

async function readBytes({ pool, isSilent }: PostgresServer, sql: string): Promise<number | null> {
  if (isSilent) return null;
  try {
    const { rows } = await pool.query<{ bytes: number | null }>(sql);
    return rows[0]?.bytes ?? null;
  } catch {
    return null;
  }
}

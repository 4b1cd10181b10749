import { StoreUnavailable } from '../lib/store-unavailable.ts';
import { isCitus } from './distribute.ts';
import type { SqlDatabase } from './sql-database.ts';

/**
 * How long it is waited for them, in milliseconds. Servers have them concluded every two seconds, Citus alone once a
 * minute.
 */
const MOST_WAIT = 100_000;

/** The first pause between two looks, in milliseconds, and the longest: mostly they are on their way. */
const FIRST_PAUSE = 10;
const LONGEST_PAUSE = 500;

/** Prepared transactions of the coordinator, whose group of nodes has the number 0, on a worker. */
const PREPARED = `select coalesce(json_agg(gid), '[]') from pg_prepared_xacts
  where database = current_database() and gid like 'citus\\_0\\_%'`;

const ON_WORKERS = `select nodename || ':' || nodeport, success::int, result
  from run_command_on_workers('${PREPARED.replaceAll("'", "''")}')`;

/**
 * Waits until the workers of Citus have committed what transactions before have prepared on them. A lock is free as soon
 * as the coordinator has committed, but a worker commits its part a moment later, or after its return if it was lost in
 * that moment. Whoever writes what depends on what the holder of a lock before has written calls this once it holds the
 * lock, and reads afterwards. Throws `StoreUnavailable` if a worker does not answer, or if something is left after 100
 * seconds. Does nothing in stores without Citus.
 */
export function waitForPreparedCommits(database: SqlDatabase): void {
  if (!isCitus(database)) return;
  const until = performance.now() + MOST_WAIT;
  const pause = database.prepare('select pg_sleep(cast(? as double precision) / 1000)');
  let left = preparedCommits(database);
  for (let ms = FIRST_PAUSE; left.size > 0; ms = Math.min(2 * ms, LONGEST_PAUSE)) {
    if (performance.now() > until) {
      const names = [...left].join(', ');
      throw new StoreUnavailable({ cause: new Error(`Prepared transactions are left on workers: ${names}`) });
    }
    pause.run(ms);
    // Those that are prepared since do not concern the caller.
    const now = preparedCommits(database);
    left = new Set([...left].filter((one) => now.has(one)));
  }
}

/** The prepared transactions of all workers, each with its node. */
function preparedCommits(database: SqlDatabase): Set<string> {
  return new Set(
    database
      .prepare(ON_WORKERS)
      .rows()
      .flatMap(([node, isDone, result]) => {
        if (isDone !== 1) {
          const cause = new Error(`The worker ${String(node)} does not answer: ${String(result)}`);
          throw new StoreUnavailable({ cause });
        }
        const gids = JSON.parse(String(result)) as string[];
        return gids.map((gid) => `${gid} on ${String(node)}`);
      }),
  );
}

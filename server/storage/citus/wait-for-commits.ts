import { deadlineIn } from '../../lib/deadline.ts';
import { StoreUnavailable } from '../../lib/store-unavailable.ts';
import { type Client, rowsOf } from './coordinator.ts';

/** Longer than a minute, after which Citus itself concludes prepared transactions. Servers do so sooner. */
const MAX_WAIT_MS = 100_000;

/** Short, because workers commit most transactions immediately. */
const FIRST_PAUSE_MS = 10;
const MAX_PAUSE_MS = 500;

/** A worker's prepared transactions. Citus names them by the coordinator's node group, 0. */
const PREPARED = `select coalesce(json_agg(gid), '[]') from pg_prepared_xacts
  where database = current_database() and gid like 'citus\\_0\\_%'`;

const ON_WORKERS = `select nodename || ':' || nodeport, success::int, result
  from run_command_on_workers('${PREPARED.replaceAll("'", "''")}')`;

/**
 * Waits until the workers have committed all transactions prepared so far. Throws `StoreUnavailable` if a
 * worker does not respond, or after `MAX_WAIT_MS`. See `Cluster`.
 */
export async function waitForCommits(client: Client): Promise<void> {
  const deadline = deadlineIn(MAX_WAIT_MS);
  let left = await preparedCommits(client);
  for (let ms = FIRST_PAUSE_MS; left.size > 0; ms = Math.min(2 * ms, MAX_PAUSE_MS)) {
    if (deadline.hasPassed)
      throw unavailable(`Prepared transactions are left on workers: ${[...left].join(', ')}`);
    // Sleeps inside PostgreSQL, which would otherwise end the transaction as idle.
    await client.query('select pg_sleep($1::float8 / 1000)', [ms]);
    // Ignores transactions prepared since the call.
    const now = await preparedCommits(client);
    left = new Set([...left].filter((one) => now.has(one)));
  }
}

/** The prepared transactions on all workers, each with its node's name. */
async function preparedCommits(client: Client): Promise<Set<string>> {
  const rows = await rowsOf(client, ON_WORKERS);
  return new Set(
    rows.flatMap(([node, isDone, result]) => {
      if (isDone !== 1) throw unavailable(`The worker ${String(node)} does not respond: ${String(result)}`);
      return (JSON.parse(String(result)) as string[]).map((gid) => `${gid} on ${String(node)}`);
    }),
  );
}

function unavailable(reason: string): StoreUnavailable {
  return new StoreUnavailable({ cause: new Error(reason) });
}

import { deadlineIn } from '../../lib/deadline.ts';
import { StoreUnavailable } from '../../lib/store-unavailable.ts';
import { type Client, rowsOf } from './coordinator.ts';

/** Servers conclude prepared transactions every two seconds, Citus alone once a minute. */
const MAX_WAIT_MS = 100_000;

/** Most commits arrive within the first pauses. */
const FIRST_PAUSE_MS = 10;
const MAX_PAUSE_MS = 500;

/** Prepared transactions of the coordinator, whose group of nodes has the number 0, on a worker. */
const PREPARED = `select coalesce(json_agg(gid), '[]') from pg_prepared_xacts
  where database = current_database() and gid like 'citus\\_0\\_%'`;

const ON_WORKERS = `select nodename || ':' || nodeport, success::int, result
  from run_command_on_workers('${PREPARED.replaceAll("'", "''")}')`;

/**
 * Waits until the workers have committed all earlier prepared transactions. Throws `StoreUnavailable` if a worker does not
 * answer, or after `MAX_WAIT_MS`. See `SqlDatabase.waitForCommits`.
 */
export async function waitForCommits(client: Client): Promise<void> {
  const deadline = deadlineIn(MAX_WAIT_MS);
  let left = await preparedCommits(client);
  for (let ms = FIRST_PAUSE_MS; left.size > 0; ms = Math.min(2 * ms, MAX_PAUSE_MS)) {
    if (deadline.hasPassed)
      throw unavailable(`Prepared transactions are left on workers: ${[...left].join(', ')}`);
    // PostgreSQL does the waiting: otherwise it would end the transaction as idle.
    await client.query('select pg_sleep($1::float8 / 1000)', [ms]);
    // Later transactions do not concern the caller.
    const now = await preparedCommits(client);
    left = new Set([...left].filter((one) => now.has(one)));
  }
}

/** The prepared transactions of all workers, each with its node. */
async function preparedCommits(client: Client): Promise<Set<string>> {
  const rows = await rowsOf(client, ON_WORKERS);
  return new Set(
    rows.flatMap(([node, isDone, result]) => {
      if (isDone !== 1) throw unavailable(`The worker ${String(node)} does not answer: ${String(result)}`);
      return (JSON.parse(String(result)) as string[]).map((gid) => `${gid} on ${String(node)}`);
    }),
  );
}

function unavailable(reason: string): StoreUnavailable {
  return new StoreUnavailable({ cause: new Error(reason) });
}

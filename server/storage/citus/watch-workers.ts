import type pg from 'pg';
import { DAYS, type UnreachableDays } from '../unreachable-days.ts';
import { watchCoordinator } from './watch-coordinator.ts';

const INTERVAL_MS = 400;

/** A worker that does not respond within this time counts as silent. */
const TIMEOUT_MS = 1_400;

/** Short enough for two attempts, because a busy worker may be late once. */
const CONNECT_TIMEOUT_MS = 800;

/** A worker that refuses a connection within this time is not running. One that takes longer may be busy. */
const REFUSED_WITHIN_MS = 600;

/** Every fifth check uses new connections, because a worker may respond on open ones but accept no others. */
const FRESH_EVERY = 5;

const keeping = (connections: 0 | 1) => `set citus.max_cached_conns_per_worker = ${connections}`;

const WORKERS = `select groupid, nodename, nodeport from pg_dist_node
  where groupid <> 0 and noderole = 'primary' and isactive`;

const RESPONDS = 'select citus_check_connection_to_node($1, $2) as responds';

/** The shards of `offer`. All distributed tables are colocated, so their shards have the same ranges. */
const SHARDS = `select cast(shardminvalue as integer) as first, cast(shardmaxvalue as integer) as last, groupid
  from pg_dist_shard join pg_dist_placement using (shardid) where logicalrelid = to_regclass('offer')`;

/** The hashes of departure days and months, both counted since 1970. */
const HASHES = `select worker_hash(value) as hash from generate_series(0, ${DAYS - 1}) as value order by value`;

/** A range of hashes, and the node group that has the rows. */
interface Shard {
  first: number;
  last: number;
  groupid: number;
}

interface Worker {
  groupid: number;
  nodename: string;
  nodeport: number;
}

export interface CitusWorkers {
  /** Departure days and months since 1970 whose rows are on silent workers. */
  readonly silentFor: ReadonlySet<number>;
  /** The node groups of silent workers. */
  readonly silentGroups: ReadonlySet<number>;
  /** The node groups that have the rows of these days and months; null if unknown. */
  groupsOf(values: readonly number[]): ReadonlySet<number> | null;
  /** How many times a worker has become silent. */
  readonly losses: number;
  stop(): void;
}

/**
 * Checks which workers respond. Asks the coordinator, because a statement for a hanging worker blocks its
 * connection, whatever its timeout. When a worker becomes silent, updates `days`, then calls `onLoss`.
 */
export function watchWorkers(url: string, days: UnreachableDays | null, onLoss: () => void): CitusWorkers {
  let silentGroups: ReadonlySet<number> = new Set();
  let silentFor: ReadonlySet<number> = new Set();
  let hashes: readonly number[] = [];
  let losses = 0;
  let looks = 0;
  let shards: readonly Shard[] = [];
  const haveResponded = new Set<number>();

  /** Checks a worker. If it is late but has responded before, checks it a second time. */
  async function ask(client: pg.Client, worker: Worker): Promise<Answer> {
    const { groupid } = worker;
    const answer = await answerOf(client, worker);
    const isBusy = answer === 'is late' && haveResponded.has(groupid) && !silentGroups.has(groupid);
    const last = isBusy ? await answerOf(client, worker) : answer;
    if (last === 'responds') haveResponded.add(groupid);
    return last;
  }

  async function look(client: pg.Client): Promise<void> {
    // After every fifth check, close the cached connections, so that the next check opens new ones.
    looks += 1;
    if (looks % FRESH_EVERY <= 1) await client.query(keeping(looks % FRESH_EVERY === 0 ? 0 : 1));
    if (hashes.length === 0) {
      hashes = (await client.query<{ hash: number }>(HASHES)).rows.map(({ hash }) => hash);
    }
    shards = (await client.query<Shard>(SHARDS)).rows;
    const { rows: workers } = await client.query<Worker>(WORKERS);
    const found = new Set<number>();
    // Workers that responded last time come first, because one that hangs ends this check.
    const inOrder = workers.sort(
      (a, b) => Number(silentGroups.has(a.groupid)) - Number(silentGroups.has(b.groupid)),
    );
    for (const [nth, worker] of inOrder.entries()) {
      const answer = await ask(client, worker);
      if (answer !== 'responds') found.add(worker.groupid);
      if (answer !== 'hangs') continue;
      for (const { groupid } of inOrder.slice(nth)) if (silentGroups.has(groupid)) found.add(groupid);
      note(found);
      throw new Error('The connection waits for a worker that hangs');
    }
    note(found);
  }

  function note(found: ReadonlySet<number>): void {
    const isLoss = [...found].some((group) => !silentGroups.has(group));
    const isSame = silentGroups.size === 0 && found.size === 0;
    silentGroups = found;
    silentFor = valuesIn(
      shards.filter(({ groupid }) => found.has(groupid)),
      hashes,
    );
    if (!isSame) days?.set(silentFor);
    if (!isLoss) return;
    losses += 1;
    onLoss();
  }

  const watch = watchCoordinator(url, {
    intervalMs: INTERVAL_MS,
    timeoutMs: TIMEOUT_MS,
    settings: { 'citus.node_connection_timeout': String(CONNECT_TIMEOUT_MS) },
    look,
  });
  return {
    get silentFor() {
      return silentFor;
    },
    get silentGroups() {
      return silentGroups;
    },
    groupsOf(values) {
      const groups = values.map((value) => {
        const hash = hashes[value] ?? Number.NaN;
        return shards.find(({ first, last }) => first <= hash && hash <= last)?.groupid;
      });
      const known = groups.filter((group) => group !== undefined);
      return known.length === groups.length ? new Set(known) : null;
    },
    get losses() {
      return losses;
    },
    stop: () => watch.stop(),
  };
}

/** `is late`: opening a connection took too long. `hangs`: the coordinator itself waits for the worker. */
type Answer = 'responds' | 'refuses' | 'is late' | 'hangs';

async function answerOf(client: pg.Client, { nodename, nodeport }: Worker): Promise<Answer> {
  const asked = performance.now();
  try {
    const { rows } = await client.query<{ responds: boolean }>(RESPONDS, [nodename, nodeport]);
    if (rows[0]?.responds === true) return 'responds';
    return performance.now() - asked < REFUSED_WITHIN_MS ? 'refuses' : 'is late';
  } catch (error) {
    if (error instanceof Error && error.message === 'Query read timeout') return 'hangs';
    throw error;
  }
}

/** The days and months whose hashes are in these shards. A value's hash is at its index in `hashes`. */
function valuesIn(shards: readonly Shard[], hashes: readonly number[]): Set<number> {
  if (shards.length === 0) return new Set();
  const isInside = (hash: number) => shards.some(({ first, last }) => first <= hash && hash <= last);
  return new Set(hashes.flatMap((hash, value) => (isInside(hash) ? [value] : [])));
}

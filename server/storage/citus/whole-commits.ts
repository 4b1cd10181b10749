import { setTimeout as sleep } from 'node:timers/promises';
import { StoreUnavailable } from '../../lib/store-unavailable.ts';
import { noteValue, READ_NOTE } from '../notes.ts';
import { numbered } from '../postgres/client.ts';
import type { ReadGuard } from '../postgres/read-pool.ts';
import type { QueryPostgres } from '../postgres/statements.ts';
import type { CitusWorkers } from './watch-workers.ts';

/** How long a search is retried before the store counts as unavailable. */
const MAX_WAIT_MS = 1_800;

const FIRST_PAUSE_MS = 10;
const MAX_PAUSE_MS = 160;

const LOOK_TIMEOUT_MS = 200;

/** The coordinator's commits by node group. Citus deletes each record after the worker has committed. */
const DECIDED = 'select groupid, gid from pg_dist_transaction';

/** Transactions prepared on the workers of some node groups; null for a worker that does not respond. */
const PREPARED = `select groupid, case when success then result end
  from (select array_agg(nodename) as names, array_agg(nodeport) as ports, array_agg(cast($2 as text)) as commands
    from pg_dist_node where noderole = 'primary' and groupid = any($1)) as asked,
    master_run_on_worker(names, ports, commands, true) as answer
  join pg_dist_node on nodename = answer.node_name and nodeport = answer.node_port`;

const ON_WORKER = `select coalesce(json_agg(gid), '[]') from pg_prepared_xacts`;

interface Decision {
  group: number;
  gid: string;
}

/**
 * Runs work in a snapshot of the coordinator and the workers that have its rows. Workers commit after the
 * coordinator, so work that may have seen a commit on some nodes only is retried. Throws
 * `StoreUnavailable` if that takes too long. Every import changes the note `versionNote`.
 */
export function wholeCommits(
  workers: Pick<CitusWorkers, 'silentGroups' | 'groupsOf' | 'losses'>,
  versionNote: string,
): ReadGuard['inSnapshot'] {
  const version = { text: numbered(READ_NOTE), values: [versionNote] };
  const versionOf = async (query: QueryPostgres) => noteValue(await query(version));
  /** Decided commits that the workers have carried out. */
  let carriedOut: ReadonlySet<string> = new Set();
  let looking: Promise<void> | null = null;

  /** Updates `carriedOut`. Concurrent callers share one check. */
  function look(query: QueryPostgres): Promise<void> {
    looking ??= lookOnce(query).finally(() => {
      looking = null;
    });
    return looking;
  }

  async function lookOnce(query: QueryPostgres): Promise<void> {
    // Reads decisions first. Otherwise a decision made between the two reads would look as if it had been
    // carried out.
    const decided = await decidedIn(query);
    const answering = decided.map(({ group }) => group).filter((group) => !workers.silentGroups.has(group));
    if (answering.length === 0) return;
    const rows = await query({
      text: PREPARED,
      values: [[...new Set(answering)], ON_WORKER],
    });
    const prepared = new Map(
      rows.flatMap(([group, gids]): [number, Set<string>][] =>
        gids === null ? [] : [[Number(group), new Set(JSON.parse(String(gids)) as string[])]],
      ),
    );
    const done = decided.filter(({ group, gid }) => prepared.get(group)?.has(gid) === false);
    carriedOut = new Set(done.map(({ gid }) => gid));
  }

  return async (server, rows, work, isLong, waiter) => {
    const { losses } = workers;
    let end = Number.POSITIVE_INFINITY;
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
      const known = carriedOut;
      const [[decided, read], result] = await server.inSnapshot(
        (query) => Promise.all([Promise.all([decidedIn(query), versionOf(query)]), work(query)]),
        isLong,
        waiter,
      );
      const groups = workers.groupsOf(rows);
      const concerning = decided.filter(({ group }) => rows.length === 0 || groups?.has(group) !== false);
      // The work saw no half-finished commit if all decisions had been carried out before it ran.
      const isWhole = concerning.every(({ gid }) => known.has(gid));
      if (isWhole && (await versionOf(server.query)) === read) return result;
      end = Math.min(end, performance.now() + MAX_WAIT_MS);
      if (performance.now() >= end) {
        throw new StoreUnavailable({ cause: new Error('A worker has not carried out a decided commit') });
      }
      await Promise.race([look(server.query), sleep(LOOK_TIMEOUT_MS)]);
      if (!concerning.every(({ gid }) => carriedOut.has(gid))) await sleep(pause);
      waiter?.signal.throwIfAborted();
      if (workers.losses !== losses) throw new StoreUnavailable();
    }
  };
}

async function decidedIn(query: QueryPostgres): Promise<Decision[]> {
  const rows = await query({ text: DECIDED, values: [] });
  return rows.map(([group, gid]) => ({ group: Number(group), gid: String(gid) }));
}

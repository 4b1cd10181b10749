import { setTimeout as sleep } from 'node:timers/promises';
import { StoreUnavailable } from '../../lib/store-unavailable.ts';
import type { QueryPostgres } from './pipeline.ts';
import type { PostgresConnections } from './server.ts';

/** How long work is run again, in milliseconds, before the store counts as unavailable. */
const MOST_WAIT = 1_500;

/** The first pause before that, in milliseconds, and the longest. */
const FIRST_PAUSE = 10;
const LONGEST_PAUSE = 160;

/**
 * What the coordinator has decided to commit on workers. Citus deletes these notes some time after the workers have
 * committed it.
 */
const DECIDED: Statement = { name: 'decided', text: 'select gid from pg_dist_transaction' };

/** What is prepared on each worker that answers. */
const PREPARED: Statement = {
  name: 'prepared',
  text: `select result from run_command_on_workers('select coalesce(json_agg(gid), ''[]'') from pg_prepared_xacts')
    where success`,
};

interface Statement {
  name: string;
  text: string;
}

/** Snapshots of a store in Citus that have the whole of each commit. */
export interface WholeCommits {
  /**
   * Runs work in a snapshot of all nodes. Each node commits by itself: a moment after the coordinator, or after its return
   * if it was lost in that moment. Work that may have seen a commit on some nodes only is run again. Throws
   * `StoreUnavailable` if a node takes too long.
   */
  read<T>(
    server: PostgresConnections,
    work: (query: QueryPostgres) => Promise<T>,
    isLong: boolean,
    signal?: AbortSignal | null,
  ): Promise<T>;
}

/** `versionOf`: reads on the coordinator what every transaction changes that is to be seen whole. */
export function wholeCommits(versionOf: (query: QueryPostgres) => Promise<string>): WholeCommits {
  /** Decisions that all workers have carried out. */
  let carriedOut: ReadonlySet<string> = new Set();
  let looking: Promise<void> | null = null;

  /** Finds out what has been carried out. Looks of the same time are one. */
  function look(query: QueryPostgres): Promise<void> {
    looking ??= lookOnce(query).finally(() => {
      looking = null;
    });
    return looking;
  }

  async function lookOnce(query: QueryPostgres): Promise<void> {
    // In this order: what is decided later may be prepared nowhere yet.
    const decided = await decidedIn(query);
    const rows = await query({ ...PREPARED, values: [], isLong: false });
    const prepared = new Set(rows.flatMap(([gids]) => JSON.parse(String(gids)) as string[]));
    carriedOut = new Set(decided.filter((gid) => !prepared.has(gid)));
  }

  return {
    async read(server, work, isLong, signal = null) {
      const end = performance.now() + MOST_WAIT;
      for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
        const known = carriedOut;
        const { decided, version, result } = await server.inSnapshot(
          async (query) => {
            const coordinator = Promise.all([decidedIn(query), versionOf(query)]);
            const [[gids, read], found] = await Promise.all([coordinator, work(query)]);
            return { decided: gids, version: read, result: found };
          },
          isLong,
          signal,
        );
        // The workers had carried out what was decided before, and nothing was decided meanwhile.
        const isWhole = decided.every((gid) => known.has(gid));
        if (isWhole && (await versionOf(server.query)) === version) return result;
        if (performance.now() >= end) {
          throw new StoreUnavailable({ cause: new Error('A worker has still to commit what is decided') });
        }
        await look(server.query);
        if (!decided.every((gid) => carriedOut.has(gid))) await sleep(pause);
      }
    },
  };
}

async function decidedIn(query: QueryPostgres): Promise<string[]> {
  const rows = await query({ ...DECIDED, values: [], isLong: false });
  return rows.map(([gid]) => String(gid));
}

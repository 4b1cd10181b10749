import { nextTick } from 'node:process';
import pg from 'pg';
import type { SqlInput, SqlValue } from '../sql-database.ts';
import { applySettings, connectionTo, type ServerSettings } from './client.ts';

/** A reading statement, by the name under which each connection keeps its plan. */
export interface PostgresQuery {
  name: string;
  text: string;
  values: readonly SqlInput[];
}

/** Queries a server; rows are arrays. */
export type QueryPostgres = (query: PostgresQuery) => Promise<SqlValue[][]>;

/** A pool of connections that send their queries without waiting for the answers to those before. */
export function pipelinePool(url: string, settings: ServerSettings, config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({
    ...connectionTo(url),
    ...config,
    pipeline: true,
    async onConnect(client) {
      // Queries fail by their own errors; a connection that breaks while checked out must not end the process too.
      client.on('error', () => {});
      await applySettings(client, settings);
    },
  });
  // An idle connection that breaks is replaced when it is needed.
  pool.on('error', () => {});
  return pool;
}

/** Queries over a connection: those of one turn of the event loop go out in one write. */
export function queriesOver(client: pg.Client): QueryPostgres {
  const { stream } = client.connection;
  let isCorked = false;

  function cork(): void {
    if (isCorked) return;
    isCorked = true;
    stream.cork();
    // The next tick comes after the continuations of all promises that are settled now.
    queueMicrotask(() =>
      nextTick(() => {
        isCorked = false;
        stream.uncork();
      }),
    );
  }

  return async (query) => {
    cork();
    return run(client, query);
  };
}

/** The statements of a connection, by name. `false`: the server has still to plan it. */
const planned = new WeakMap<pg.ClientBase, Map<string, boolean>>();

/**
 * Runs a statement, also behind others that are not answered. While the first of its name is on the way, the server may
 * still refuse to plan it, and would then know no statement of that name. So those behind it are sent whole.
 */
async function run(client: pg.ClientBase, { name, text, values }: PostgresQuery): Promise<SqlValue[][]> {
  const names = planned.get(client) ?? new Map<string, boolean>();
  planned.set(client, names);
  const statement = { text, values: [...values], rowMode: 'array' as const };
  if (names.get(name) === false) return (await client.query<SqlValue[]>(statement)).rows;
  const isFirst = !names.has(name);
  if (isFirst) names.set(name, false);
  try {
    const { rows } = await client.query<SqlValue[]>({ ...statement, name });
    if (isFirst) names.set(name, true);
    return rows;
  } catch (error) {
    if (isFirst) names.delete(name);
    throw error;
  }
}

import { nextTick } from 'node:process';
import pg from 'pg';
import type { SqlInput, SqlValue } from '../sql-database.ts';
import { applySettings, connectionTo, type ServerSettings } from './client.ts';

/** A read-only statement, and the name under which connections keep its plan. Without a name, they keep none. */
export interface PostgresQuery {
  name?: string;
  text: string;
  values: readonly SqlInput[];
}

export type QueryPostgres = (query: PostgresQuery) => Promise<SqlValue[][]>;

/** A pool of connections that send a query without waiting for the responses to earlier ones. */
export function pipelinePool(url: string, settings: ServerSettings, config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({
    ...connectionTo(url),
    ...config,
    pipeline: true,
    async onConnect(client) {
      // Queries report their own errors. Without a listener, an 'error' event would crash the process.
      client.on('error', () => {});
      await applySettings(client, settings);
    },
  });
  // The pool replaces an idle connection that breaks when it next needs one.
  pool.on('error', () => {});
  return pool;
}

/** Runs queries over a connection. Sends the queries of one event-loop turn in one write. */
export function queriesOver(client: pg.Client): QueryPostgres {
  const { stream } = client.connection;
  let isCorked = false;

  function cork(): void {
    if (isCorked) return;
    isCorked = true;
    stream.cork();
    // Waits for the next tick, after all settled promises have continued.
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

/** Each connection's statements by name. `false` if the server has not planned it yet. */
const planned = new WeakMap<pg.ClientBase, Map<string, boolean>>();

/**
 * Runs a statement without waiting for earlier responses. Until the server has planned a name's first
 * statement, later ones also send the text, because planning may fail.
 */
async function run(client: pg.ClientBase, { name, text, values }: PostgresQuery): Promise<SqlValue[][]> {
  const names = planned.get(client) ?? new Map<string, boolean>();
  planned.set(client, names);
  const statement = { text, values: [...values], rowMode: 'array' as const };
  if (name === undefined || names.get(name) === false)
    return (await client.query<SqlValue[]>(statement)).rows;
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

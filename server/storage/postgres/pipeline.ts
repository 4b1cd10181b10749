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

export type QueryPostgres = (query: PostgresQuery) => Promise<SqlValue[][]>;

/** A pool of connections that send their queries without waiting for the answers to those before. */
export function pipelinePool(url: string, settings: ServerSettings, config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({
    ...connectionTo(url),
    ...config,
    pipeline: true,
    async onConnect(client) {
      // Queries report their own errors; an unhandled 'error' event would crash the process.
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
    // The next tick runs after the continuations of all settled promises.
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

/** The statements of a connection, by name. `false`: not planned yet. */
const planned = new WeakMap<pg.ClientBase, Map<string, boolean>>();

/**
 * Runs a statement, possibly behind unanswered ones. Until the server has planned the first of its name, later ones are sent
 * with their text, because planning may fail.
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

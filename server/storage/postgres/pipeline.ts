import type pg from 'pg';
import type { SqlInput, SqlValue } from '../sql-database.ts';
import { type CheckClient, openPool, type ServerSettings } from './client.ts';
import { keptStatements } from './kept-statements.ts';

/** A read-only statement. Connections keep its plan. */
export interface PostgresQuery {
  text: string;
  values: readonly SqlInput[];
}

export type QueryPostgres = (query: PostgresQuery) => Promise<SqlValue[][]>;

/** A connection is replaced after this many uses. */
const MAX_USES = 20_000;

/** A pool of connections that send a query without waiting for the responses to earlier ones. */
export function pipelinePool(
  url: string,
  settings: ServerSettings,
  config: pg.PoolConfig,
  check: CheckClient = async () => {},
): pg.Pool {
  // The driver never forgets a statement's text.
  return openPool(url, settings, { ...config, maxUses: MAX_USES, pipeline: true }, check);
}

/** Runs queries over a connection. */
export function queriesOver(client: pg.ClientBase): QueryPostgres {
  return (query) => run(client, query);
}

/**
 * Runs a statement without waiting for earlier responses. Until the server has planned a text's first statement, later
 * ones are sent without a name, because planning may fail.
 */
async function run(client: pg.ClientBase, { text, values }: PostgresQuery): Promise<SqlValue[][]> {
  const kept = keptStatements(client);
  const isFirst = !kept.has(text);
  const known = kept.memo(text);
  const statement = { text, values: [...values], rowMode: 'array' as const };
  if (!isFirst && !known.isPlanned) return (await client.query<SqlValue[]>(statement)).rows;
  try {
    const { rows } = await client.query<SqlValue[]>({ ...statement, name: known.name });
    known.isPlanned = true;
    return rows;
  } catch (error) {
    if (isFirst) kept.delete(text);
    throw error;
  }
}

import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { memoizeWeak } from '../../lib/memoize.ts';
import type { SqlInput, SqlValue } from '../sql-database.ts';

/** The most statements whose plans a connection keeps: those used last. Filters combine to any number of texts. */
export const MAX_STATEMENTS = 200;

/** A read-only statement. Connections keep its plan. */
export interface PostgresQuery {
  text: string;
  values: readonly SqlInput[];
}

export type QueryPostgres = (query: PostgresQuery) => Promise<SqlValue[][]>;

let lastName = 0;

/** A connection's named statements by text. Planning a statement costs as much as searching. */
const keptStatements = memoizeWeak(
  (client: pg.ClientBase) =>
    new LRUCache<string, { name: string; isPlanned: boolean }>({
      max: MAX_STATEMENTS,
      memoMethod: () => {
        lastName += 1;
        return { name: `s${lastName}`, isPlanned: false };
      },
      dispose({ name }, _text, reason) {
        // Fails only if the transaction or the connection has failed, which the next statement reports.
        if (reason === 'evict') client.query(`deallocate ${name}`).catch(() => {});
      },
    }),
);

/** Runs queries over a connection, without waiting for the responses to earlier ones. */
export function queriesOver(client: pg.ClientBase): QueryPostgres {
  return async ({ text, values }) => (await runStatement(client, text, values)).rows;
}

/**
 * Runs a statement. Until the server has planned a text's first statement, later ones are sent without a name, because
 * planning may fail.
 */
export async function runStatement(
  client: pg.ClientBase,
  text: string,
  values: readonly unknown[],
): Promise<pg.QueryArrayResult<SqlValue[]>> {
  const kept = keptStatements(client);
  const isFirst = !kept.has(text);
  const known = kept.memo(text);
  const statement = { text, values: [...values], rowMode: 'array' as const };
  if (!isFirst && !known.isPlanned) return client.query<SqlValue[]>(statement);
  try {
    const result = await client.query<SqlValue[]>({ ...statement, name: known.name });
    known.isPlanned = true;
    return result;
  } catch (error) {
    if (isFirst) kept.delete(text);
    throw error;
  }
}

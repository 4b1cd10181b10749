import type pg from 'pg';
import { openClient, type ServerSettings } from '../postgres/client.ts';
import type { SqlInput, SqlValue } from '../sql-database.ts';
import { HAS_CITUS } from './settings.ts';

/** A single connection, or one from a pool. */
export type Client = Pick<pg.ClientBase, 'query'>;

/** Whether the database has the extension Citus. */
export async function isCitus(client: Client): Promise<boolean> {
  return (await rowsOf(client, HAS_CITUS)).length > 0;
}

/** Runs a query. Returns its rows as arrays in the order of the columns. */
export async function rowsOf(
  client: Client,
  text: string,
  values: readonly SqlInput[] = [],
): Promise<SqlValue[][]> {
  return (await client.query<SqlValue[]>({ text, values: [...values], rowMode: 'array' })).rows;
}

/** Runs work on its own connection to the database. */
export async function withCoordinator<T>(
  url: string,
  settings: ServerSettings,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = await openClient(url, settings);
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

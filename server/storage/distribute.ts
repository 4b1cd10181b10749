import { inTransaction } from './in-transaction.ts';
import type { SqlDatabase } from './sql-database.ts';

/** Shards of each distributed table: eight workers, which hold a billion packages, have four each. */
const SHARDS = 32;

/**
 * The distributed tables and their columns. All columns have one type and all tables the same number of shards, so they
 * are colocated: an import's statements join on the departure day inside each shard, and shards move together. A price
 * block has the days of one month, so its column is the month: a search over months reads a month at a time, from one
 * shard, and the transaction that writes packages writes the blocks.
 */
const DISTRIBUTED = [
  ['offer', 'departure_day'],
  ['price_observation', 'departure_day'],
  ['offer_staged', 'departure_day'],
  ['block_day_staged', 'departure_day'],
  ['price_block', 'month'],
] as const;

/** The dictionaries: every node has a copy. All other tables stay on the coordinator. */
const REFERENCE = [
  'country',
  'region',
  'resort',
  'airport',
  'provider',
  'hotel',
  'flight',
  'board',
  'room',
  'party',
  'stay',
] as const;

/** Moving a shard replicates its rows, which needs the write-ahead log. */
const STAGING = ['offer_staged', 'block_day_staged'] as const;

/** Waits for imports and holds them off. */
const IMPORTS = 'records in use';

/** Whether the database has the extension Citus. */
export function isCitus(database: SqlDatabase): boolean {
  if (database.engine === 'sqlite') return false;
  return database.prepare(`select 1 from pg_extension where extname = 'citus'`).row() !== undefined;
}

/** The tables that Citus should have distributed, and has not. */
export function undistributed(database: SqlDatabase): string[] {
  const known = new Set(
    database
      .prepare('select cast(logicalrelid as text) from pg_dist_partition')
      .rows()
      .map(([name]) => name),
  );
  return [...DISTRIBUTED.map(([table]) => table), ...REFERENCE].filter((table) => !known.has(table));
}

/**
 * Distributes the tables over the workers of Citus, with what they hold, in one transaction. Searches go on; what writes
 * waits. Does nothing to tables that are distributed. Returns the tables that it has moved.
 */
export function distribute(database: SqlDatabase, onTable: (table: string) => void): string[] {
  const wanted = new Set(undistributed(database));
  if (wanted.size === 0) return [];
  inTransaction(
    database,
    () => {
      while (!database.tryAlone(IMPORTS)) database.exec('select pg_sleep(1)');
      database.exec(`set local citus.multi_shard_modify_mode = 'sequential'`);
      database.exec(`set local citus.shard_count = ${SHARDS}`);
      database.exec('set local client_min_messages = error');
      for (const table of STAGING) if (wanted.has(table)) database.exec(`alter table ${table} set logged`);
      for (const [table, column] of DISTRIBUTED) {
        if (!wanted.has(table)) continue;
        onTable(table);
        const group = table === 'offer' ? `shard_count => ${SHARDS}` : `colocate_with => 'offer'`;
        database.exec(`select create_distributed_table('${table}', '${column}', ${group})`);
      }
      for (const table of REFERENCE) {
        if (!wanted.has(table)) continue;
        onTable(table);
        database.exec(`select create_reference_table('${table}')`);
      }
    },
    'schema',
  );
  for (const [table] of DISTRIBUTED) {
    if (wanted.has(table)) database.exec(`select truncate_local_data_after_distributing_table('${table}')`);
  }
  return [...wanted];
}

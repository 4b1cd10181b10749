import { inTransaction } from './in-transaction.ts';
import type { SqlDatabase } from './sql-database.ts';
import { isStoreLocked } from './store-locked.ts';

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
export const REFERENCE = [
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

/** How long a truncate waits for its lock, in milliseconds: searches queue behind it as long as it waits. */
const TRUNCATE_LOCK_TIMEOUT = 200;

/** Whether the database has the extension Citus. */
export function isCitus(database: SqlDatabase): boolean {
  if (database.engine === 'sqlite') return false;
  return database.prepare(`select 1 from pg_extension where extname = 'citus'`).row() !== undefined;
}

/** How Citus has distributed a table. */
interface Distribution {
  isReference: boolean;
  /** Null if the rows are not distributed by a column. */
  column: string | null;
  colocation: number;
}

/** What Citus has distributed, by table. */
function distributions(database: SqlDatabase): Map<string, Distribution> {
  // Tables that Citus manages on the coordinator have 'n' as well, and another replication model.
  const rows = database
    .prepare(
      `select cast(logicalrelid as text), (partmethod = 'n' and repmodel = 't')::int,
          column_to_column_name(logicalrelid, partkey), colocationid
        from pg_dist_partition`,
    )
    .rows() as [string, number, string | null, number][];
  return new Map(
    rows.map(([table, isReference, column, colocation]) => [
      table,
      { isReference: isReference === 1, column, colocation },
    ]),
  );
}

/** The tables that Citus should have distributed, and has not. */
export function undistributed(database: SqlDatabase): string[] {
  const known = distributions(database);
  return [...DISTRIBUTED.map(([table]) => table), ...REFERENCE].filter((table) => !known.has(table));
}

/** The tables that Citus has distributed otherwise than `distribute` does, each with what is wrong. */
export function distributedOtherwise(database: SqlDatabase): { table: string; fault: string }[] {
  const known = distributions(database);
  const group = known.get('offer')?.colocation;
  const faultOf = (table: string, column: string): string | null => {
    const found = known.get(table);
    if (found === undefined) return null;
    if (found.column !== column) return `is not distributed by ${column}`;
    return group === undefined || found.colocation === group ? null : 'is not colocated with offer';
  };
  const faults = [
    ...DISTRIBUTED.map(([table, column]) => ({ table, fault: faultOf(table, column) })),
    ...REFERENCE.map((table) => ({
      table,
      fault: known.get(table)?.isReference === false ? 'is not a reference table' : null,
    })),
  ];
  return faults.flatMap(({ table, fault }) => (fault === null ? [] : [{ table, fault }]));
}

/**
 * The distributed tables of which the coordinator still holds the rows from before: nobody reads them, but they fill its
 * disk. The size is that of the coordinator's own table, without the shards.
 */
export function tablesWithLocalRows(database: SqlDatabase): string[] {
  const filled = new Set(
    database
      .prepare(
        'select cast(logicalrelid as text) from pg_dist_partition where pg_relation_size(logicalrelid) > 0',
      )
      .rows()
      .map(([name]) => name),
  );
  return [...DISTRIBUTED.map(([table]) => table), ...REFERENCE].filter((table) => filled.has(table));
}

/**
 * Distributes the tables over the workers of Citus, with what they hold, in one transaction. Searches go on; what writes
 * waits. Does nothing to tables that are distributed. Returns the tables that it has moved; the coordinator keeps their
 * rows until `removeLocalRows`.
 */
export function distribute(database: SqlDatabase, onTable: (table: string) => void): string[] {
  if (undistributed(database).length === 0) return [];
  return inTransaction(
    database,
    () => {
      // Asked again, because another process may just have distributed them.
      const wanted = new Set(undistributed(database));
      if (wanted.size > 0) distributeTables(database, wanted, onTable);
      return [...wanted];
    },
    'schema',
  );
}

function distributeTables(
  database: SqlDatabase,
  wanted: ReadonlySet<string>,
  onTable: (table: string) => void,
): void {
  while (!database.tryAlone(IMPORTS)) database.exec('select pg_sleep(1)');
  // What removes departed packages writes to several of the tables, in another order.
  database.lock('price blocks');
  database.exec(`set local citus.multi_shard_modify_mode = 'sequential'`);
  database.exec(`set local citus.shard_count = ${SHARDS}`);
  // One copy of each shard: days whose worker is away are refused, and PostgreSQL's own replicas stand in for workers.
  database.exec('set local citus.shard_replication_factor = 1');
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
}

/**
 * Removes the rows that distributed tables still have on the coordinator, also those that a killed run has left. A reader
 * of a table, such as pg_dump, holds it up: it tries again each second, with searches going on between, for `patience`
 * milliseconds. Returns the tables whose rows are still there.
 */
export function removeLocalRows(
  database: SqlDatabase,
  patience: number,
  onTable: (table: string) => void,
): string[] {
  const end = performance.now() + patience;
  return tablesWithLocalRows(database).filter((table) => {
    onTable(table);
    while (!tryToTruncate(database, table)) {
      if (performance.now() >= end) return true;
      database.exec('select pg_sleep(1)');
    }
    return false;
  });
}

/** False if another connection uses the table. */
function tryToTruncate(database: SqlDatabase, table: string): boolean {
  try {
    inTransaction(
      database,
      () => {
        database.exec(`set local lock_timeout = ${TRUNCATE_LOCK_TIMEOUT}`);
        database.exec(`select truncate_local_data_after_distributing_table('${table}')`);
      },
      'schema',
    );
    return true;
  } catch (error) {
    if (isStoreLocked(error)) return false;
    throw error;
  }
}

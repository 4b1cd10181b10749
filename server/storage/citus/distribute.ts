import { setTimeout as sleep } from 'node:timers/promises';
import { type Deadline, deadlineIn } from '../../lib/deadline.ts';
import { lockNumbers, takeLock } from '../postgres/locks.ts';
import { isStoreLocked } from '../store-locked.ts';
import { type Client, rowsOf } from './coordinator.ts';

/** Shards of each distributed table: eight workers, which hold a billion packages, have four each. */
const SHARDS = 32;

/** The dictionaries: every node has a copy. */
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

/**
 * The tables and the columns by which they are distributed; null for a dictionary. All other tables stay on the
 * coordinator. The columns have one type and their tables the same number of shards, so they are colocated: an import's
 * statements join on the departure day inside each shard, and shards move together. A price block has the days of a month.
 */
const TABLES: readonly (readonly [table: string, column: string | null])[] = [
  ['offer', 'departure_day'],
  ['price_observation', 'departure_day'],
  ['offer_staged', 'departure_day'],
  ['block_day_staged', 'departure_day'],
  ['price_block', 'month'],
  ...REFERENCE.map((table) => [table, null] as const),
];

const NAMES = TABLES.map(([table]) => table);

/** Moving a shard replicates its rows, which needs the write-ahead log. */
const STAGING = ['offer_staged', 'block_day_staged'] as const;

/** Imports share this lock. */
const IMPORTS = lockNumbers('records in use');

/** How long a truncate waits for its lock, in milliseconds: searches queue behind it as long as it waits. */
const TRUNCATE_LOCK_TIMEOUT = 200;

const RETRY_EVERY_MS = 1_000;

/** How Citus has distributed a table. */
interface Distribution {
  isReference: boolean;
  /** Null if the rows are not distributed by a column. */
  column: string | null;
  colocation: number;
}

/** What Citus has distributed, by table. */
async function distributions(client: Client): Promise<Map<string, Distribution>> {
  // Tables that Citus manages on the coordinator have 'n' as well, and another replication model.
  const rows = await rowsOf(
    client,
    `select cast(logicalrelid as text), (partmethod = 'n' and repmodel = 't')::int,
        column_to_column_name(logicalrelid, partkey), colocationid
      from pg_dist_partition`,
  );
  return new Map(
    (rows as [string, number, string | null, number][]).map(([table, isReference, column, colocation]) => [
      table,
      { isReference: isReference === 1, column, colocation },
    ]),
  );
}

/** The tables that Citus should have distributed, and has not. */
export async function undistributed(client: Client): Promise<string[]> {
  const known = await distributions(client);
  return NAMES.filter((table) => !known.has(table));
}

/** The tables that Citus has distributed otherwise than `distribute` does, each with what is wrong. */
export async function distributedOtherwise(client: Client): Promise<{ table: string; fault: string }[]> {
  const known = await distributions(client);
  const group = known.get('offer')?.colocation;
  return TABLES.flatMap(([table, column]) => {
    const found = known.get(table);
    if (found === undefined) return [];
    if (column === null) return found.isReference ? [] : [{ table, fault: 'is not a reference table' }];
    if (found.column !== column) return [{ table, fault: `is not distributed by ${column}` }];
    const isColocated = group === undefined || found.colocation === group;
    return isColocated ? [] : [{ table, fault: 'is not colocated with offer' }];
  });
}

/**
 * The distributed tables of which the coordinator still holds the rows from before: nobody reads them, but they fill its
 * disk. The size is that of the coordinator's own table, without the shards.
 */
export async function tablesWithLocalRows(client: Client): Promise<string[]> {
  const rows = await rowsOf(
    client,
    'select cast(logicalrelid as text) from pg_dist_partition where pg_relation_size(logicalrelid) > 0',
  );
  const filled = new Set(rows.flat());
  return NAMES.filter((table) => filled.has(table));
}

/** Distributes new tables when the schema has been migrated. It waits for no reader: the doctor reports what is left. */
export async function distributeNewTables(client: Client): Promise<void> {
  await distribute(client);
  await removeLocalRows(client, deadlineIn(0));
}

/**
 * Distributes the tables over the workers, with what they hold, in one transaction. Searches go on; what writes waits.
 * Returns the tables that it has moved; the coordinator keeps their rows until `removeLocalRows`.
 */
export async function distribute(client: Client, onTable = (_table: string) => {}): Promise<string[]> {
  if ((await undistributed(client)).length === 0) return [];
  return inTransaction(client, async () => {
    // Asked again, because another process may just have distributed them.
    const wanted = await undistributed(client);
    if (wanted.length > 0) await distributeTables(client, new Set(wanted), onTable);
    return wanted;
  });
}

async function distributeTables(
  client: Client,
  wanted: ReadonlySet<string>,
  onTable: (table: string) => void,
): Promise<void> {
  // Not by waiting for the lock: imports that come meanwhile would queue behind it.
  const tryAlone = `select pg_try_advisory_xact_lock(${IMPORTS})::int`;
  while ((await rowsOf(client, tryAlone))[0]?.[0] !== 1) await client.query('select pg_sleep(1)');
  // What removes departed packages writes to several of the tables, in another order.
  await client.query(takeLock('price blocks'));
  // One copy of each shard: days whose worker is away are refused, and PostgreSQL's own replicas stand in for workers.
  await client.query(`set local citus.multi_shard_modify_mode = 'sequential';
    set local citus.shard_count = ${SHARDS}; set local citus.shard_replication_factor = 1;
    set local client_min_messages = error`);
  for (const table of STAGING) if (wanted.has(table)) await client.query(`alter table ${table} set logged`);
  for (const [table, column] of TABLES) {
    if (!wanted.has(table)) continue;
    onTable(table);
    const group = table === 'offer' ? `shard_count => ${SHARDS}` : `colocate_with => 'offer'`;
    await client.query(
      column === null
        ? `select create_reference_table('${table}')`
        : `select create_distributed_table('${table}', '${column}', ${group})`,
    );
  }
}

/**
 * Removes the rows that distributed tables still have on the coordinator, also those that a killed run has left. A reader
 * of a table, such as pg_dump, delays it: it tries again each second, with searches going on between. Returns the tables
 * whose rows are still there at the deadline.
 */
export async function removeLocalRows(
  client: Client,
  deadline: Deadline,
  onTable = (_table: string) => {},
): Promise<string[]> {
  const left: string[] = [];
  for (const table of await tablesWithLocalRows(client)) {
    onTable(table);
    let isRemoved = await tryToTruncate(client, table);
    while (!isRemoved && !deadline.hasPassed) {
      await sleep(RETRY_EVERY_MS);
      isRemoved = await tryToTruncate(client, table);
    }
    if (!isRemoved) left.push(table);
  }
  return left;
}

/** False if another connection uses the table. */
async function tryToTruncate(client: Client, table: string): Promise<boolean> {
  try {
    await inTransaction(client, async () => {
      await client.query(`set local lock_timeout = ${TRUNCATE_LOCK_TIMEOUT}`);
      await client.query(`select truncate_local_data_after_distributing_table('${table}')`);
    });
    return true;
  } catch (error) {
    if (isStoreLocked(error)) return false;
    throw error;
  }
}

/** Runs work in a transaction that holds the lock of migrations. */
async function inTransaction<T>(client: Client, work: () => Promise<T>): Promise<T> {
  try {
    await client.query(`begin; ${takeLock('schema')}`);
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

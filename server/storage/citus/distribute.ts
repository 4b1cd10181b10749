import { setTimeout as sleep } from 'node:timers/promises';
import { type Deadline, deadlineIn } from '../../lib/deadline.ts';
import { lockNumbers, takeLock } from '../postgres/locks.ts';
import { isStoreLocked } from '../store-locked.ts';
import { type Client, rowsOf } from './coordinator.ts';

/** As many shards of each distributed table as the operator has set for the cluster. */
const SHARDS = "shard_count => cast(current_setting('citus.shard_count') as integer)";

/** The dictionaries, of which every node has a copy. */
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
];

/**
 * The tables with their distribution columns; null for dictionaries. Other tables stay on the coordinator.
 * All columns have one type and all tables equally many shards, so an import can join on the departure day
 * inside each shard.
 */
const TABLES: readonly (readonly [table: string, column: string | null])[] = [
  ['offer', 'departure_day'],
  ['price_observation', 'departure_day'],
  ['offer_staged', 'departure_day'],
  ['block_day_staged', 'departure_day'],
  ['feed_quarantine', 'departure_day'],
  ['price_block', 'month'],
  ...REFERENCE.map((table) => [table, null] as const),
];

const NAMES = TABLES.map(([table]) => table);

/** Staging tables are unlogged, but moving a shard replicates its rows, which needs the write-ahead log. */
const STAGING = ['offer_staged', 'block_day_staged'] as const;

/** Every import shares this lock. */
const IMPORTS = lockNumbers('records in use');

/** Short, because searches queue behind a truncation that waits for its lock. */
const TRUNCATE_LOCK_TIMEOUT_MS = 200;

const RETRY_EVERY_MS = 1_000;

interface Distribution {
  isReference: boolean;
  /** Null if the table has no distribution column. */
  column: string | null;
  colocation: number;
}

async function distributions(client: Client): Promise<Map<string, Distribution>> {
  // Tables that Citus manages on the coordinator also have 'n', so the second condition is needed.
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

/** The tables that Citus does not distribute yet. */
export async function undistributed(client: Client): Promise<string[]> {
  const known = await distributions(client);
  return NAMES.filter((table) => !known.has(table));
}

/** The tables whose distribution differs from `TABLES`, with what is wrong. */
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

/** The distributed tables whose old rows still take space on the coordinator. */
export async function tablesWithLocalRows(client: Client): Promise<string[]> {
  const rows = await rowsOf(
    client,
    'select cast(logicalrelid as text) from pg_dist_partition where pg_relation_size(logicalrelid) > 0',
  );
  const filled = new Set(rows.flat());
  return NAMES.filter((table) => filled.has(table));
}

/** Distributes new tables after a migration. Does not wait for readers; the doctor reports what remains. */
export async function distributeNewTables(client: Client): Promise<void> {
  await distribute(client);
  await removeLocalRows(client, deadlineIn(0));
}

/**
 * Distributes the tables and their rows over the workers, in one transaction. Searches continue, but writers
 * wait. Returns the moved tables, whose old rows `removeLocalRows` removes.
 */
export async function distribute(client: Client, onTable = (_table: string) => {}): Promise<string[]> {
  if ((await undistributed(client)).length === 0) return [];
  return inTransaction(client, async () => {
    // Check again, because another process may just have distributed them.
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
  // Poll instead of waiting for the lock, because new imports would queue behind this process.
  const tryAlone = `select pg_try_advisory_xact_lock(${IMPORTS})::int`;
  while ((await rowsOf(client, tryAlone))[0]?.[0] !== 1) await client.query('select pg_sleep(1)');
  // The removal of departed packages writes to the tables in a different order, so it could deadlock.
  await client.query(takeLock('price blocks'));
  // One copy of each shard, because PostgreSQL's own replicas replace lost workers.
  await client.query(`set local citus.multi_shard_modify_mode = 'sequential';
    set local citus.shard_replication_factor = 1;
    set local client_min_messages = error`);
  for (const table of STAGING) if (wanted.has(table)) await client.query(`alter table ${table} set logged`);
  for (const [table, column] of TABLES) {
    if (!wanted.has(table)) continue;
    onTable(table);
    const group = table === 'offer' ? SHARDS : `colocate_with => 'offer'`;
    await client.query(
      column === null
        ? `select create_reference_table('${table}')`
        : `select create_distributed_table('${table}', '${column}', ${group})`,
    );
  }
}

/**
 * Removes the old rows of distributed tables from the coordinator. While readers such as pg_dump prevent
 * this, retries every second. Returns the tables whose rows remain at the deadline.
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

/** Returns false if another connection uses the table. */
async function tryToTruncate(client: Client, table: string): Promise<boolean> {
  try {
    await inTransaction(client, async () => {
      await client.query(`set local lock_timeout = ${TRUNCATE_LOCK_TIMEOUT_MS}`);
      await client.query(`select truncate_local_data_after_distributing_table('${table}')`);
    });
    return true;
  } catch (error) {
    if (isStoreLocked(error)) return false;
    throw error;
  }
}

/** Runs work in a transaction with the migrations' lock. */
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

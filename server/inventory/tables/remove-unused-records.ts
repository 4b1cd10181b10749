import { randomUUID } from 'node:crypto';
import { readNote, writeNote } from '../../storage/notes.ts';
import type { SqlDatabase, SqlSession } from '../../storage/sql-database.ts';
import { RECORDS_REMOVED, REFERENCE_VERSION } from './reference-tables.ts';

/** Imports share this lock while they use records that no row in the store refers to yet. */
export const RECORDS_IN_USE = 'records in use';

/** Records removed per transaction, to keep the lock short. */
const BATCH = 5_000;

/** A column with IDs of a dictionary's records. */
export type Reference = readonly [table: string, column: string];

/**
 * The dictionaries that grow with the feeds, and the inventory's columns that refer to them, the cheapest to read
 * first. Each dictionary comes before the one that it refers to.
 */
const USED_IN = {
  flight: [
    ['offer', 'outbound_flight'],
    ['offer', 'inbound_flight'],
  ],
  room: [['offer', 'room']],
  hotel: [['offer', 'hotel']],
  resort: [
    ['hotel', 'resort'],
    ['offer', 'resort'],
  ],
  region: [
    ['resort', 'region'],
    ['offer', 'region'],
  ],
  country: [
    ['region', 'country'],
    ['offer', 'country'],
  ],
} as const satisfies Record<string, readonly [Reference, ...Reference[]]>;

/** The dictionaries from which unused records are removed. */
export type ClearedTable = keyof typeof USED_IN;

const CLEARED = Object.keys(USED_IN) as ClearedTable[];

/**
 * Removes flights, rooms, hotels and places that nothing refers to; returns how many. Searches without a
 * lock, removes in short transactions, and stops if an import interferes. Keeps the highest ID, so that IDs
 * are never reused.
 */
export async function removeUnusedRecords(
  database: SqlDatabase,
  references: Readonly<Partial<Record<ClearedTable, readonly Reference[]>>>,
  onBatch: () => Promise<void> = async () => {},
): Promise<number> {
  const versionIn = (session: SqlSession) => readNote(session, REFERENCE_VERSION);
  const version = await versionIn(database);
  // Packages that are committed but not visible yet also use records.
  await database.cluster?.waitForCommits();
  let removed = 0;
  for (const table of CLEARED) {
    const ids = await unusedIds(database, table, references[table] ?? [], onBatch);
    for (let from = 0; from < ids.length; from += BATCH) {
      const isUnchanged = await database.write('dictionaries', async (tx) => {
        if (!(await tx.tryAlone(RECORDS_IN_USE)) || (await versionIn(tx)) !== version) return false;
        const remove = tx.prepare(`delete from ${table} where ${tx.anyOf('id')}`);
        await remove.run(ids.slice(from, from + BATCH));
        await writeNote(tx, RECORDS_REMOVED, randomUUID());
        return true;
      });
      if (!isUnchanged) return removed;
      removed += Math.min(BATCH, ids.length - from);
      await onBatch();
    }
  }
  return removed;
}

async function unusedIds(
  database: SqlSession,
  table: ClearedTable,
  references: readonly Reference[],
  onRead: () => Promise<void>,
): Promise<number[]> {
  const [[user, column], ...others]: readonly [Reference, ...Reference[]] = USED_IN[table];
  // `distinct` keeps a distributed table from sending a row per package.
  const isOlder = `id < (select max(id) from ${table})`;
  const unused = `select id from ${table} where ${isOlder} except select distinct ${column} from ${user}`;
  let ids = idsOf(await database.prepare(unused).rows());
  for (const [other, name] of [...references, ...others]) {
    await onRead();
    if (ids.length === 0) return [];
    const used = database.prepare(`select distinct ${name} from ${other} where ${database.anyOf(name)}`);
    const isUsed = new Set(idsOf(await used.rows(ids)));
    ids = ids.filter((id) => !isUsed.has(id));
  }
  return ids;
}

function idsOf(rows: readonly (readonly unknown[])[]): number[] {
  return rows.map(([id]) => Number(id));
}

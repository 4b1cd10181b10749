import { randomUUID } from 'node:crypto';
import { inTransaction } from './in-transaction.ts';
import { RECORDS_REMOVED, REFERENCE_VERSION } from './reference-tables.ts';
import type { SqlDatabase } from './sql-database.ts';

/** Records that one transaction removes: nobody who waits for the store's lock waits long. */
const BATCH = 5_000;

interface Dictionary {
  table: string;
  /** The columns that name its records, the cheapest to read first. */
  usedIn: readonly (readonly [table: string, column: string])[];
}

/** The dictionaries that grow with the feeds, each before the one that it names itself. */
const DICTIONARIES: readonly Dictionary[] = [
  {
    table: 'flight',
    usedIn: [
      ['offer', 'outbound_flight'],
      ['offer', 'inbound_flight'],
    ],
  },
  {
    table: 'room',
    usedIn: [
      ['offer', 'room'],
      ['price_observation', 'room'],
    ],
  },
  {
    table: 'hotel',
    usedIn: [
      ['offer', 'hotel'],
      ['price_path', 'hotel'],
      ['price_observation', 'hotel'],
    ],
  },
  {
    table: 'resort',
    usedIn: [
      ['hotel', 'resort'],
      ['price_index', 'resort'],
      ['offer', 'resort'],
    ],
  },
  {
    table: 'region',
    usedIn: [
      ['resort', 'region'],
      ['offer', 'region'],
    ],
  },
  {
    table: 'country',
    usedIn: [
      ['region', 'country'],
      ['offer', 'country'],
    ],
  },
];

/**
 * Removes the flights, rooms, hotels and places that neither a package nor a package's price history names any more;
 * gives how many. It looks without a lock and removes in short transactions. Where an import has written in between,
 * it leaves the rest to the next time. Nobody who searches misses a record: whoever sees a package sees the state
 * that has its names.
 *
 * The record with the highest number stays in any case. New ones are numbered behind it, so that no number is ever
 * given twice.
 */
export function removeUnusedRecords(database: SqlDatabase, onBatch: () => void = () => {}): number {
  const readVersion = database.prepare('select value from note where name = ?');
  const versionNow = () => readVersion.row(REFERENCE_VERSION)?.[0] ?? null;
  const version = versionNow();
  const writeNote = database.prepare(
    'insert into note (name, value) values (?, ?) on conflict (name) do update set value = excluded.value',
  );
  let removed = 0;
  for (const dictionary of DICTIONARIES) {
    const ids = unusedIds(database, dictionary, onBatch);
    const remove = database.prepare(`delete from ${dictionary.table} where ${database.anyOf('id')}`);
    for (let from = 0; from < ids.length; from += BATCH) {
      const isAsItWas = inTransaction(database, () => {
        if (versionNow() !== version) return false;
        remove.run(ids.slice(from, from + BATCH));
        writeNote.run(RECORDS_REMOVED, randomUUID());
        return true;
      });
      if (!isAsItWas) return removed;
      removed += Math.min(BATCH, ids.length - from);
      onBatch();
    }
  }
  return removed;
}

function unusedIds(database: SqlDatabase, { table, usedIn }: Dictionary, onRead: () => void): number[] {
  const [first, ...others] = usedIn;
  if (first === undefined) return [];
  const [user, column] = first;
  let ids = idsOf(
    database
      .prepare(
        `select id from ${table} where id < (select max(id) from ${table}) except select ${column} from ${user}`,
      )
      .rows(),
  );
  for (const [other, name] of others) {
    onRead();
    if (ids.length === 0) return [];
    const used = database.prepare(`select distinct ${name} from ${other} where ${database.anyOf(name)}`);
    const isUsed = new Set(idsOf(used.rows(ids)));
    ids = ids.filter((id) => !isUsed.has(id));
  }
  return ids;
}

function idsOf(rows: readonly (readonly unknown[])[]): number[] {
  return rows.map(([id]) => Number(id));
}

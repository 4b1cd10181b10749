import { boundedCache } from '../lib/bounded-cache.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import { type ChangedNumbers, changedNumbers } from './changed-numbers.ts';

/** One dictionary: records by their natural key, each with a small id. */
export interface NumberedRecords<T extends { id: number }> {
  /** The record's id. A record with a new key is added. */
  idOf(record: Omit<T, 'id'>): number;
  /** The record with this key as it is described by now. A record with a new key is added. Needs `isStated`. */
  recordOf(record: Omit<T, 'id'>): { record: T; isStated: boolean };
  /** Describes a record. It is stated from now on. `isChanged`: otherwise than the store. Needs `isStated`. */
  state(record: T, isChanged: boolean): void;
  /** Records that existed before the import and have not been stated, by id. Needs `isStated`. */
  unstated(): Iterable<T>;
  hasChanges(): boolean;
  /** New records, by id. */
  additions(): Iterable<T>;
  /** Records that existed before the import and are described anew, by id. */
  updates(): Iterable<T>;
  /**
   * Numbers the new records again, because another import has stored records since these were read. `stored` are the
   * store's records that are new to this import; `resolve` replaces the numbers in a record of other dictionaries.
   * A new record that is stored by now takes the stored one's number; `onMet` is called with both. Call it once.
   */
  renumber(stored: Iterable<T>, resolve: (record: T) => T, onMet: (own: T, stored: T) => void): Renumbered;
  /** The highest number that was stored before the import. */
  readonly lastKnown: number;
  /** The number of records in memory. */
  held(): number;
}

export interface Renumbered {
  /** A record's number now. */
  idOf(id: number): number;
  /** Whether every record has kept its number. */
  isSame: boolean;
}

export interface RecordsOptions<T extends { id: number }> {
  /** Names the database's tables. */
  name: string;
  known: Iterable<T>;
  keyOf: (record: Omit<T, 'id'>) => string;
  /** Whether records are stated: known records are then kept whole, not by their keys alone. */
  isStated: boolean;
  /** The cache holds at most twice this many. */
  most: number;
}

/** New records that one statement inserts. */
const RECORDS_A_STATEMENT = 50;
/** Records that one statement reads. */
const RECORDS_READ = 1_000;

/**
 * Numbers new records after the known ones. All are in tables of `database`, a file of this import alone; memory holds
 * only recently used ones, because a feed may have a new flight in every row.
 */
export function numberedRecords<T extends { id: number }>(
  database: SqlDatabase,
  { name, known, keyOf, isStated, most }: RecordsOptions<T>,
): NumberedRecords<T> {
  const keys = `${name}_key`;
  database.exec(`create table ${keys} (key text primary key, id integer not null) strict, without rowid;
    create table ${name} (
      id integer primary key, record text not null,
      is_stated integer not null default 0, is_changed integer not null default 1
    ) strict`);
  const addKey = database.prepare(`insert into ${keys} values (?, ?) on conflict do nothing`);
  const findKey = database.prepare(`select id from ${keys} where key = ?`);
  const addKnown = database.prepare(`insert into ${name} values (?, ?, 0, 0)`);
  const added = bufferedInsert(database, name, isStated ? 1 : RECORDS_A_STATEMENT);
  const find = database.prepare(`select record, is_stated from ${name} where id = ?`);
  const state = database.prepare(
    `update ${name} set record = ?, is_stated = 1, is_changed = max(is_changed, ?) where id = ?`,
  );
  const unstatedAfter = database.prepare(
    `select record from ${name} where is_stated = 0 and id > ? and id <= ? order by id limit ${RECORDS_READ}`,
  );
  const anyChanged = database.prepare(`select 1 from ${name} where is_changed limit 1`);
  const changed = database.prepare(
    `select record from ${name} where is_changed and id between ? and ? order by id`,
  );

  const ids = boundedCache<string, number>(most);
  let last = 0;
  let isAnyAdded = false;
  for (const record of known) {
    // Older versions have written two records with one key; the later one is used.
    if (addKey.run(keyOf(record), record.id).changes === 0) {
      database.prepare(`update ${keys} set id = ? where key = ?`).run(record.id, keyOf(record));
    }
    if (isStated) addKnown.run(record.id, JSON.stringify(record));
    last = Math.max(last, record.id);
  }
  const lastKnown = last;

  function idOf(record: Omit<T, 'id'>): number {
    const key = keyOf(record);
    const held = ids.get(key);
    if (held !== undefined) return held;
    const id = numberOf(key, record);
    ids.set(key, id);
    return id;
  }

  function numberOf(key: string, record: Omit<T, 'id'>): number {
    if (addKey.run(key, last + 1).changes === 0) return Number(findKey.row(key)?.[0]);
    last += 1;
    isAnyAdded = true;
    added.add(last, JSON.stringify({ ...record, id: last }));
    return last;
  }

  let renumbered: {
    numbers: ChangedNumbers;
    /** The highest number that is stored by now: a new record with another number than these is not stored. */
    lastStored: number;
    resolve: (record: T) => T;
  } | null = null;

  const numberNow = (id: number) => renumbered?.numbers.of(id) ?? id;

  /** New and changed records with these numbers, as this import has numbered them. */
  function* changedRecords(from: number, to: number): Generator<T> {
    added.flush();
    for (const [record] of changed.iterate(from, to)) yield JSON.parse(String(record)) as T;
  }

  function* additions(): Generator<T> {
    for (const record of changedRecords(lastKnown + 1, last)) {
      if (renumbered === null) {
        yield record;
        continue;
      }
      const id = numberNow(record.id);
      const isMet = id <= renumbered.lastStored;
      if (!isMet) yield { ...renumbered.resolve(record), id };
    }
  }

  function* updates(): Generator<T> {
    for (const record of changedRecords(1, lastKnown)) {
      yield renumbered === null ? record : renumbered.resolve(record);
    }
  }

  return {
    lastKnown,
    renumber(stored, resolve, onMet) {
      const byKey = keyedRecords<T>(database, name, keyOf);
      let lastStored = lastKnown;
      for (const record of stored) {
        byKey.set(record);
        lastStored = Math.max(lastStored, record.id);
      }
      const numbers = changedNumbers(database, `${name}_moved`, most);
      renumbered = { numbers, lastStored, resolve };
      let next = lastStored;
      for (const record of changedRecords(lastKnown + 1, last)) {
        const own = resolve(record);
        const known = byKey.get(own);
        if (known === null) next += 1;
        else onMet(own, known);
        const now = known?.id ?? next;
        if (now !== record.id) numbers.set(record.id, now);
      }
      return { idOf: numberNow, isSame: !numbers.isAny() };
    },
    idOf,
    recordOf(record) {
      const [text, wasStated] = find.row(idOf(record)) ?? [];
      return { record: JSON.parse(String(text)) as T, isStated: wasStated === 1 };
    },
    state: (record, isChanged) => void state.run(JSON.stringify(record), isChanged ? 1 : 0, record.id),
    *unstated() {
      let last = 0;
      while (true) {
        // Some at a time, because the caller may change records meanwhile.
        const records = unstatedAfter.rows(last, lastKnown).map(([text]) => JSON.parse(String(text)) as T);
        yield* records;
        const end = records.at(-1);
        if (end === undefined) return;
        last = end.id;
      }
    },
    hasChanges: () => isAnyAdded || anyChanged.row() !== undefined,
    additions,
    updates,
    held: () => ids.size + (renumbered?.numbers.held() ?? 0),
  };
}

/** What another import has stored, by natural key: in a table, because it may be a feed of millions of flights. */
function keyedRecords<T extends { id: number }>(
  database: SqlDatabase,
  name: string,
  keyOf: (record: T) => string,
) {
  const table = `${name}_stored`;
  database.exec(`create table ${table} (key text primary key, record text not null) strict, without rowid`);
  const put = database.prepare(
    `insert into ${table} values (?, ?) on conflict do update set record = excluded.record`,
  );
  const find = database.prepare(`select record from ${table} where key = ?`);
  return {
    set: (record: T) => void put.run(keyOf(record), JSON.stringify(record)),
    get(own: T): T | null {
      const [record] = find.row(keyOf(own)) ?? [];
      return record === undefined ? null : (JSON.parse(String(record)) as T);
    },
  };
}

/** Inserts records `size` at a time. */
function bufferedInsert(database: SqlDatabase, table: string, size: number) {
  const sqlOf = (rows: number) =>
    `insert into ${table} (id, record) values ${Array.from({ length: rows }, () => '(?, ?)').join(', ')}`;
  const many = database.prepare(sqlOf(size));
  const one = database.prepare(sqlOf(1));
  let held: (number | string)[] = [];
  return {
    add(id: number, record: string): void {
      held.push(id, record);
      if (held.length < size * 2) return;
      many.run(...held);
      held = [];
    },
    flush(): void {
      for (let at = 0; at < held.length; at += 2) one.run(...held.slice(at, at + 2));
      held = [];
    },
  };
}

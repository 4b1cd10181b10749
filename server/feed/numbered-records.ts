import { boundedCache } from '../lib/bounded-cache.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';

/** One dictionary: records by their natural key, each with a small id. */
export interface NumberedRecords<T extends { id: number }> {
  /** The record's id. A record with a new key is added. */
  idOf(record: Omit<T, 'id'>): number;
  /**
   * The record with this key as its first call described it. If it existed before the import, its old description is
   * kept unless `isReplaced`. Needs `isStated`.
   */
  firstStated(record: Omit<T, 'id'>, isReplaced: boolean): Stated<T>;
  /** Whether the record existed before the import. */
  isKnown(id: number): boolean;
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

export interface Stated<T> {
  record: T;
  /** The record before the first call for it; null in later calls. */
  before: T | null;
}

export interface RecordsOptions<T extends { id: number }> {
  /** Names the database's tables. */
  name: string;
  known: Iterable<T>;
  keyOf: (record: Omit<T, 'id'>) => string;
  /** Whether `firstStated` is used: known records are then kept whole, not by their keys alone. */
  isStated: boolean;
  /** The cache holds at most twice this many. */
  most: number;
}

/** New records that one statement inserts. */
const RECORDS_A_STATEMENT = 50;

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
  const change = database.prepare(`update ${name} set record = ?, is_changed = 1 where id = ?`);
  const state = database.prepare(`update ${name} set is_stated = 1 where id = ?`);
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
    numbers: MovedNumbers;
    /** The highest number that is stored by now: a new record with another number than these is not stored. */
    lastStored: number;
    resolve: (record: T) => T;
  } | null = null;

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
      const id = renumbered.numbers.idOf(record.id);
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
      const numbers = movedNumbers(database, name, most);
      renumbered = { numbers, lastStored, resolve };
      let next = lastStored;
      for (const record of changedRecords(lastKnown + 1, last)) {
        const own = resolve(record);
        const known = byKey.get(own);
        if (known === null) next += 1;
        else onMet(own, known);
        numbers.move(record.id, known?.id ?? next);
      }
      return { idOf: numbers.idOf, isSame: !numbers.isAnyMoved() };
    },
    idOf,
    firstStated(record, isReplaced) {
      const id = idOf(record);
      const [text, wasStated] = find.row(id) ?? [];
      const was = JSON.parse(String(text)) as T;
      if (wasStated === 1) return { record: was, before: null };
      state.run(id);
      if (!isReplaced || isSame(was, record)) return { record: was, before: was };
      const now = { ...record, id } as T;
      change.run(JSON.stringify(now), id);
      return { record: now, before: was };
    },
    isKnown: (id) => id <= lastKnown,
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

/** The numbers of records that have another number now: in a table, for the same reason. */
interface MovedNumbers {
  move(id: number, now: number): void;
  idOf(id: number): number;
  isAnyMoved(): boolean;
  /** How many are in memory. */
  held(): number;
}

function movedNumbers(database: SqlDatabase, name: string, most: number): MovedNumbers {
  const table = `${name}_moved`;
  database.exec(`create table ${table} (id integer primary key, now integer not null) strict`);
  const put = database.prepare(`insert into ${table} values (?, ?)`);
  const find = database.prepare(`select now from ${table} where id = ?`);
  const cache = boundedCache<number, number>(most);
  let isAnyMoved = false;
  return {
    move(id, now) {
      if (id === now) return;
      put.run(id, now);
      isAnyMoved = true;
    },
    idOf(id) {
      if (!isAnyMoved) return id;
      const held = cache.get(id);
      if (held !== undefined) return held;
      const now = Number(find.row(id)?.[0] ?? id);
      cache.set(id, now);
      return now;
    },
    isAnyMoved: () => isAnyMoved,
    held: () => cache.size,
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

function isSame<T extends object>(one: T, other: Omit<T, 'id'>): boolean {
  const held = one as Readonly<Record<string, unknown>>;
  return Object.entries(other).every(([field, value]) => held[field] === value);
}

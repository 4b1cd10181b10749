import type { SqlDatabase } from '../storage/sql-database.ts';
import { boundedCache } from './bounded-cache.ts';

/** One dictionary: records by their natural key, each with a small number. */
export interface NumberedRecords<T extends { id: number }> {
  /** The record's number; it is added as it is here where its key is new. */
  idOf(record: Omit<T, 'id'>): number;
  /**
   * The record of this key as the first call for it has stated it. Where it was known before, that one stands,
   * unless it is `replaced`.
   */
  firstStated(record: Omit<T, 'id'>, isReplaced: boolean): Stated<T>;
  /** Whether a record was there before the import. */
  isKnown(id: number): boolean;
  hasChanges(): boolean;
  /** What was added or became otherwise, by number. */
  changes(): Iterable<T>;
  /** How many records the memory holds now. */
  held(): number;
}

export interface Stated<T> {
  record: T;
  /** What it was until this call, where this is the first call for it; null in later calls. */
  before: T | null;
}

export interface RecordsSetting<T extends { id: number }> {
  /** Of the tables that keep them. */
  name: string;
  known: Iterable<T>;
  keyOf: (record: Omit<T, 'id'>) => string;
  /** Whether `firstStated` is asked, for which the known ones are kept whole and not by their keys alone. */
  isStated: boolean;
  /** How many the memory holds at most, twice over. */
  most: number;
}

/**
 * New records are numbered behind the known ones. All of them stand in tables of `database`, a file of the import's
 * own, and only those that come again and again are held in memory: a feed may have another flight in every row.
 */
export function numberedRecords<T extends { id: number }>(
  database: SqlDatabase,
  { name, known, keyOf, isStated, most }: RecordsSetting<T>,
): NumberedRecords<T> {
  const keys = `${name}_key`;
  database.exec(`create table ${keys} (key text primary key, id integer not null) strict, without rowid;
    create table ${name} (
      id integer primary key, record text not null, is_stated integer not null, is_changed integer not null
    ) strict`);
  const addKey = database.prepare(`insert into ${keys} values (?, ?) on conflict do nothing`);
  const findKey = database.prepare(`select id from ${keys} where key = ?`);
  const add = database.prepare(`insert into ${name} values (?, ?, ?, ?)`);
  const find = database.prepare(`select record, is_stated from ${name} where id = ?`);
  const change = database.prepare(`update ${name} set record = ?, is_changed = 1 where id = ?`);
  const state = database.prepare(`update ${name} set is_stated = 1 where id = ?`);
  const anyChanged = database.prepare(`select 1 from ${name} where is_changed limit 1`);
  const changed = database.prepare(`select record from ${name} where is_changed order by id`);

  const ids = boundedCache<string, number>(most);
  let last = 0;
  let isAnyAdded = false;
  for (const record of known) {
    // Of two records with one key, which only an older version has written, the later is meant.
    if (addKey.run(keyOf(record), record.id).changes === 0) {
      database.prepare(`update ${keys} set id = ? where key = ?`).run(record.id, keyOf(record));
    }
    if (isStated) add.run(record.id, JSON.stringify(record), 0, 0);
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
    add.run(last, JSON.stringify({ ...record, id: last }), 0, 1);
    return last;
  }

  function stateFirst(record: Omit<T, 'id'>, isReplaced: boolean): Stated<T> {
    const id = idOf(record);
    const [text, wasStated] = find.row(id) ?? [];
    const was = JSON.parse(String(text)) as T;
    if (wasStated === 1) return { record: was, before: null };
    state.run(id);
    if (!isReplaced || isSame(was, record)) return { record: was, before: was };
    const now = { ...record, id } as T;
    change.run(JSON.stringify(now), id);
    return { record: now, before: was };
  }

  return {
    idOf,
    firstStated: stateFirst,
    isKnown: (id) => id <= lastKnown,
    hasChanges: () => isAnyAdded || anyChanged.row() !== undefined,
    *changes() {
      for (const [record] of changed.iterate()) yield JSON.parse(String(record)) as T;
    },
    held: () => ids.size,
  };
}

function isSame<T extends object>(one: T, other: Omit<T, 'id'>): boolean {
  const held = one as Readonly<Record<string, unknown>>;
  return Object.entries(other).every(([field, value]) => held[field] === value);
}

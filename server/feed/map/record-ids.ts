import { LRUCache } from 'lru-cache';
import type { ReferenceData } from '../../inventory/inventory.ts';
import { walkReferenceTable } from '../../inventory/tables/reference-tables.ts';
import type { SqlDatabase } from '../../storage/sql-database.ts';

/** The ids of one dictionary's records, by natural key. */
export interface RecordIds<T extends { id: number }> {
  /** The store's id of a record. A record that the store does not have gets the next one. */
  idOf(record: Omit<T, 'id'>): number;
  /** Reads the records that the store has got since the last call. */
  readNew(): void;
  /** The records that got an id since the last call, by id. */
  takeAdded(): T[];
}

type RecordOf<K extends keyof ReferenceData> = ReferenceData[K][number];

/** Ids in memory. The keys of all others are in a table, because a feed may have a new flight in every row. */
const CACHED = 20_000;

/**
 * `local` is a database of this import alone. `onMissing` is called before a record gets an id; it may read new records.
 */
export function recordIds<K extends keyof ReferenceData>(
  store: SqlDatabase,
  local: SqlDatabase,
  dictionary: K,
  {
    keyOf,
    onMissing,
    onRead,
  }: {
    keyOf: (record: Omit<RecordOf<K>, 'id'>) => string;
    onMissing: () => void;
    /** Called for each of the store's records. */
    onRead: (record: RecordOf<K>) => void;
  },
): RecordIds<RecordOf<K>> {
  local.exec(`create table ${dictionary} (key text primary key, id integer not null) strict, without rowid`);
  // Older versions have written two records with one key; the later one is used.
  const put = local.prepare(
    `insert into ${dictionary} values (?, ?) on conflict do update set id = excluded.id`,
  );
  const find = local.prepare(`select id from ${dictionary} where key = ?`);
  const cached = new LRUCache<string, number>({ max: CACHED });
  let last = 0;
  let added: RecordOf<K>[] = [];

  function known(key: string): number | null {
    const id = cached.get(key) ?? find.row(key)?.[0];
    return typeof id === 'number' ? id : null;
  }

  function add(key: string, record: Omit<RecordOf<K>, 'id'>): number {
    last += 1;
    put.run(key, last);
    added.push({ ...record, id: last } as RecordOf<K>);
    return last;
  }

  return {
    idOf(record) {
      const key = keyOf(record);
      let id = known(key);
      if (id === null) {
        onMissing();
        id = known(key) ?? add(key, record);
      }
      cached.set(key, id);
      return id;
    },
    readNew() {
      for (const record of walkReferenceTable(store, dictionary, last)) {
        onRead(record);
        put.run(keyOf(record), record.id);
        last = record.id;
      }
    },
    takeAdded() {
      const taken = added;
      added = [];
      return taken;
    },
  };
}

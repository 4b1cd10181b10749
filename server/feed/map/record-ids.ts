import type { ReferenceData } from '../../inventory/inventory.ts';
import { walkReferenceTable } from '../../inventory/tables/reference-tables.ts';
import type { SqlDatabase } from '../../storage/sql-database.ts';
import { localMap } from './local-map.ts';

type RecordOf<K extends keyof ReferenceData> = ReferenceData[K][number];

export type KeyOf<K extends keyof ReferenceData> = (record: Omit<RecordOf<K>, 'id'>) => string;

/** Ids in memory. A feed may have a new flight in every row. */
const CACHED = 20_000;

/** One dictionary's ids, by natural key. `local` is a database of this import alone. */
export function recordIds<K extends keyof ReferenceData>(
  store: SqlDatabase,
  local: SqlDatabase,
  dictionary: K,
  {
    keyOf,
    isKept,
    onMissing,
    onRead,
  }: {
    keyOf: KeyOf<K>;
    /** Whether new records stay in `local`. */
    isKept: boolean;
    /** Called before a new record gets an id. Unless `isKept`, no other writer may then add any until `added`. */
    onMissing: () => void;
    /** Called for each of the store's records. */
    onRead: (record: RecordOf<K>) => void;
  },
) {
  const ids = localMap<number>(local, dictionary, CACHED);
  const kept = isKept ? localMap<RecordOf<K>>(local, `${dictionary}_added`, 1) : null;
  let added: RecordOf<K>[] = [];
  let last = 0;
  /** Whether all of the store's records have been read. */
  let isRead = isKept;

  /** Reads the store's new records since the last call. */
  function readNew(): void {
    for (const record of walkReferenceTable(store, dictionary, last)) {
      onRead(record);
      // Older versions have written two records with one key; the later one is used.
      ids.set(keyOf(record), record.id);
      last = record.id;
    }
  }

  function add(key: string, record: Omit<RecordOf<K>, 'id'>): number {
    last += 1;
    ids.set(key, last);
    const withId = { ...record, id: last } as RecordOf<K>;
    if (kept === null) added.push(withId);
    else kept.set(String(last), withId);
    return last;
  }

  return {
    /** A record's id. A new record gets the next free id. */
    idOf(record: Omit<RecordOf<K>, 'id'>): number {
      const key = keyOf(record);
      const known = ids.get(key);
      if (known !== undefined) return known;
      onMissing();
      if (!isRead) readNew();
      isRead = true;
      return ids.get(key) ?? add(key, record);
    },
    readNew,
    /** New records; if they do not stay local, those since the last call. */
    added(): Iterable<RecordOf<K>> {
      if (kept !== null) return kept.values();
      isRead = false;
      const taken = added;
      added = [];
      return taken;
    },
  };
}

import type { DatabaseSync } from 'node:sqlite';
import type { ReferenceData } from '../../inventory/inventory.ts';
import { walkReferenceTable } from '../../inventory/tables/reference-tables.ts';
import type { SqlSession } from '../../storage/sql-database.ts';
import { localMap } from './local-map.ts';

type RecordOf<K extends keyof ReferenceData> = ReferenceData[K][number];

export type KeyOf<K extends keyof ReferenceData> = (record: Omit<RecordOf<K>, 'id'>) => string;

/** Ids in memory. A feed may have a new flight in every row. */
const CACHED = 20_000;

const BATCH = 1_000;

/** One dictionary's ids, by natural key. `local` is a database of this import alone. */
export function recordIds<K extends keyof ReferenceData>(
  local: DatabaseSync,
  dictionary: K,
  {
    keyOf,
    isKept,
    onAdded,
    onRead,
    onWalked,
  }: {
    keyOf: KeyOf<K>;
    /** Whether new records stay in `local`. */
    isKept: boolean;
    /** Called for each new record. */
    onAdded: () => void;
    /** Called for each of the store's records. */
    onRead: (record: RecordOf<K>) => unknown;
    /** Called after each batch of them. */
    onWalked: () => Promise<void>;
  },
) {
  const ids = localMap<number>(local, dictionary, CACHED);
  const kept = isKept ? localMap<RecordOf<K>>(local, `${dictionary}_added`, 1) : null;
  let added: RecordOf<K>[] = [];
  let last = 0;

  /** Reads the store's new records since the last call. */
  async function readNew(session: SqlSession): Promise<void> {
    for await (const record of walkReferenceTable(session, dictionary, last)) {
      onRead(record);
      // Older versions have written two records with one key; the later one is used.
      ids.set(keyOf(record), record.id);
      last = record.id;
      if (record.id % BATCH === 0) await onWalked();
    }
  }

  function add(key: string, record: Omit<RecordOf<K>, 'id'>): number {
    onAdded();
    last += 1;
    ids.set(key, last);
    const withId = { ...record, id: last } as RecordOf<K>;
    if (kept === null) added.push(withId);
    else kept.set(String(last), withId);
    return last;
  }

  return {
    /** The id of a record of the store, or undefined if the record is new. */
    find: (record: Omit<RecordOf<K>, 'id'>): number | undefined => ids.get(keyOf(record)),
    /** A record's id. A new record gets the next free id, which no other writer may give at the same time. */
    idOf(record: Omit<RecordOf<K>, 'id'>): number {
      const key = keyOf(record);
      return ids.get(key) ?? add(key, record);
    },
    readNew,
    /** New records; if they do not stay local, those since the last call. */
    added(): Iterable<RecordOf<K>> {
      if (kept !== null) return kept.values();
      const taken = added;
      added = [];
      return taken;
    },
  };
}

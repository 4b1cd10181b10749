/** One dictionary: records by their natural key, each with a small number. */
export interface NumberedRecords<T extends { id: number }> {
  /** The record's number; it is added as it is here where its key is new. */
  idOf(record: Omit<T, 'id'>): number;
  /** The same, and what is there already becomes as it is here. */
  put(record: Omit<T, 'id'>): number;
  get(id: number): T;
  /** What was added or became otherwise. */
  changes(): T[];
}

/** New records are numbered behind `known`. */
export function numberedRecords<T extends { id: number }>(
  known: readonly T[],
  keyOf: (record: Omit<T, 'id'>) => string,
): NumberedRecords<T> {
  const ids = new Map<string, number>();
  const records = new Map<number, T>();
  const changed = new Set<number>();
  let last = 0;
  for (const record of known) {
    ids.set(keyOf(record), record.id);
    records.set(record.id, record);
    last = Math.max(last, record.id);
  }

  function write(id: number, record: Omit<T, 'id'>): void {
    records.set(id, { ...record, id } as T);
    changed.add(id);
  }

  function idOf(record: Omit<T, 'id'>): number {
    const key = keyOf(record);
    const found = ids.get(key);
    if (found !== undefined) return found;
    last += 1;
    ids.set(key, last);
    write(last, record);
    return last;
  }

  function get(id: number): T {
    const record = records.get(id);
    if (record === undefined) throw new Error(`No record has the number ${id}`);
    return record;
  }

  return {
    idOf,
    put(record) {
      const id = idOf(record);
      if (!isSame(get(id), record)) write(id, record);
      return id;
    },
    get,
    changes: () => [...changed].map(get),
  };
}

function isSame<T extends object>(one: T, other: Omit<T, 'id'>): boolean {
  const held = one as Readonly<Record<string, unknown>>;
  return Object.entries(other).every(([field, value]) => held[field] === value);
}

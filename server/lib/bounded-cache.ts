/** A cache that keeps the `most` entries used last, and at most twice as many. `undefined` is not cached. */
export interface BoundedCache<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): void;
  delete(key: K): void;
  /** The number of entries now. */
  readonly size: number;
}

/**
 * Keeps entries in two generations of `most` each: when the young one is full, the old one is dropped. An entry that
 * is read from the old generation becomes young again. This evicts almost as well as least-recently-used order, and a
 * read of a young entry is one look-up.
 */
export function boundedCache<K, V>(most: number): BoundedCache<K, V> {
  let young = new Map<K, V>();
  let old = new Map<K, V>();

  function set(key: K, value: V): void {
    if (young.size >= most) {
      old = young;
      young = new Map();
    }
    young.set(key, value);
  }

  return {
    get(key) {
      const known = young.get(key);
      if (known !== undefined) return known;
      const older = old.get(key);
      if (older !== undefined) set(key, older);
      return older;
    },
    set,
    delete(key) {
      young.delete(key);
      old.delete(key);
    },
    get size() {
      return young.size + old.size;
    },
  };
}

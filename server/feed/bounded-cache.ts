/** A cache that keeps recently used values. */
export interface BoundedCache<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): void;
  readonly size: number;
}

/**
 * Keeps at most twice `most` values, in two generations. When the young one is full, the old one is dropped; a value
 * read from the old one becomes young again. It evicts nearly as well as LRU, at the cost of a map.
 */
export function boundedCache<K, V extends {}>(most: number): BoundedCache<K, V> {
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
    get size() {
      return young.size + old.size;
    },
  };
}

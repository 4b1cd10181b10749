/** A cache of the entries used last, at most twice as many as it is made for. `undefined` is not cached. */
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
 * read of a young entry is one look-up. `weightOf`: what an entry counts, if not 1.
 */
export function boundedCache<K, V>(most: number, weightOf: (key: K) => number = () => 1): BoundedCache<K, V> {
  let young = new Map<K, V>();
  let old = new Map<K, V>();
  let weight = 0;

  function set(key: K, value: V): void {
    const more = young.has(key) ? 0 : weightOf(key);
    if (more > 0 && weight + more > most) {
      old = young;
      young = new Map();
      weight = 0;
    }
    young.set(key, value);
    weight += more;
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
      if (young.delete(key)) weight -= weightOf(key);
      old.delete(key);
    },
    get size() {
      return young.size + old.size;
    },
  };
}

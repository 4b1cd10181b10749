/** Values by key, of which only some are kept: those that were asked for lately. */
export interface BoundedCache<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): void;
  /** How many are kept now. */
  readonly size: number;
}

/**
 * Keeps at most twice `most` values, in two generations: when the younger is full, the older goes. What is asked for
 * out of the older becomes young again. It forgets nearly as well as by the time of last use, and costs one look.
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

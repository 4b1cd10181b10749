/** A cache of the entries used last, at most twice as many as it is made for. `undefined` is not cached. */
export interface BoundedCache<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): void;
  delete(key: K): void;
  /** The number of entries now. */
  readonly size: number;
}

/** What an entry counts. */
export type WeightOf<K, V> = (key: K, value: V) => number;

/** Makes a cache; `weightOf`: what its entries count, if not 1. */
export type MakeCache = <K, V>(weightOf?: WeightOf<K, V>) => BoundedCache<K, V>;

/** A cache with a bound of its own. */
export function boundedCache<K, V>(most: number, weightOf?: WeightOf<K, V>): BoundedCache<K, V> {
  return boundedCaches(most)<K, V>(weightOf);
}

/**
 * Makes caches that share one bound. They keep entries in two generations of `most` each: when the young ones of all caches
 * together are full, the old ones are dropped. An entry that is read from the old generation becomes young again. This
 * evicts almost as well as least-recently-used order, and a read of a young entry is one look-up. So a cache that nobody
 * uses any more leaves its room to the others. A single entry is kept whatever it weighs.
 */
export function boundedCaches(most: number): MakeCache {
  /** How each cache that has entries makes its young ones old. False: it has none left. */
  const filled = new Set<() => boolean>();
  let weight = 0;

  function ageAll(): void {
    for (const age of filled) if (!age()) filled.delete(age);
    weight = 0;
  }

  return <K, V>(weightOf: WeightOf<K, V> = () => 1): BoundedCache<K, V> => {
    let young = new Map<K, V>();
    let old = new Map<K, V>();

    function age(): boolean {
      old = young;
      young = new Map();
      return old.size > 0;
    }

    function removeYoung(key: K): void {
      const known = young.get(key);
      if (known === undefined) return;
      young.delete(key);
      weight -= weightOf(key, known);
    }

    function set(key: K, value: V): void {
      removeYoung(key);
      const more = weightOf(key, value);
      if (weight > 0 && weight + more > most) ageAll();
      young.set(key, value);
      weight += more;
      filled.add(age);
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
        removeYoung(key);
        old.delete(key);
      },
      get size() {
        return young.size + old.size;
      },
    };
  };
}

import { LRUCache } from 'lru-cache';

type Key = number | string;

/** Caches `make` by key. Keeps the `max` results that were used last. */
export function memoize<T, K extends Key = number>(max: number, make: (key: K) => T): (key: K) => T {
  // Unlike `max`, this reserves no memory.
  const cache = new LRUCache<K, { made: T }>({ maxSize: max, sizeCalculation: () => 1 });
  return (key) => {
    const known = cache.get(key);
    if (known !== undefined) return known.made;
    const made = make(key);
    cache.set(key, { made });
    return made;
  };
}

/** Caches every result. For few keys, such as the IDs of a small dictionary. */
export function memoizeAll<T, K extends Key = number>(make: (key: K) => T): (key: K) => T {
  return cachedIn<K, T>(new Map(), make);
}

/** Caches the result for each object for as long as the object lives. */
export function memoizeWeak<K extends object, T extends object>(make: (key: K) => T): (key: K) => T {
  return cachedIn<K, T>(new WeakMap(), make);
}

/** Caches results up to `maxBytes` in total. `charactersOf` returns a result's number of characters. */
export function memoizeBytes<T extends object | string>(
  maxBytes: number,
  make: (key: number) => T,
  charactersOf: (result: T) => number,
): (key: number) => T {
  return cachedIn<number, T>(cacheOfBytes(maxBytes, charactersOf), make);
}

function cachedIn<K, T>(
  cache: { get(key: K): T | undefined; set(key: K, made: T): unknown },
  make: (key: K) => T,
): (key: K) => T {
  return (key) => {
    const known = cache.get(key);
    if (known !== undefined) return known;
    const made = make(key);
    cache.set(key, made);
    return made;
  };
}

/** The estimated size of an entry without its characters. */
const ENTRY_BYTES = 100;

/** A cache of at most `maxBytes`. Each character counts as two bytes, its size outside Latin-1. */
export function cacheOfBytes<K extends Key, V extends object | string>(
  maxBytes: number,
  charactersOf: (value: V) => number,
): LRUCache<K, V> {
  return new LRUCache({
    maxSize: maxBytes,
    sizeCalculation: (value) => ENTRY_BYTES + 2 * charactersOf(value),
  });
}

export const charactersOfText = (text: string) => text.length;

import { type BoundedCache, boundedCache } from './bounded-cache.ts';

/** `make` with its results cached by key: the `most` used last, and at most twice as many. */
export function memoize<T, K extends number | string = number>(
  most: number,
  make: (key: K) => T,
): (key: K) => T {
  return memoizeIn(boundedCache<K, T>(most), make);
}

/** `make` with its results cached by key in a cache. */
export function memoizeIn<T, K extends number | string = number>(
  cache: BoundedCache<K, T>,
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

import { boundedCache } from './bounded-cache.ts';

/** `make` with its results cached by key: the `most` used last, and at most twice as many. */
export function memoize<T, K extends number | string = number>(
  most: number,
  make: (key: K) => T,
): (key: K) => T {
  const cache = boundedCache<K, T>(most);
  return (key) => {
    const known = cache.get(key);
    if (known !== undefined) return known;
    const made = make(key);
    cache.set(key, made);
    return made;
  };
}

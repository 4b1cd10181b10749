/** Caches the results of `make` by key. After `most` results, the whole cache is cleared. */
export function memoize<T, K extends number | string = number>(
  most: number,
  make: (key: K) => T,
): (key: K) => T {
  const kept = new Map<K, T>();
  return (key) => {
    const known = kept.get(key);
    if (known !== undefined) return known;
    if (kept.size >= most) kept.clear();
    const made = make(key);
    kept.set(key, made);
    return made;
  };
}

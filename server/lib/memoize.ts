/** `make`, with its answers kept by their key; after `most` answers it forgets them all and starts over. */
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

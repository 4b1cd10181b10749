/** `make`, with its answers kept by their number; after `most` answers it forgets them all and starts over. */
export function remembered<T>(most: number, make: (id: number) => T): (id: number) => T {
  const kept = new Map<number, T>();
  return (id) => {
    const known = kept.get(id);
    if (known !== undefined) return known;
    if (kept.size >= most) kept.clear();
    const made = make(id);
    kept.set(id, made);
    return made;
  };
}

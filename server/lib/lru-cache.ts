/** Values by id. When it is full, the least recently used value is evicted. */
interface LruCache<T> {
  get(id: number): T | undefined;
  set(id: number, value: T): void;
}

export function lruCache<T>(most: number): LruCache<T> {
  const kept = new Map<number, T>();
  return {
    get(id) {
      const value = kept.get(id);
      if (value === undefined) return undefined;
      // Maps keep insertion order, so reinsertion marks the key as used last.
      kept.delete(id);
      kept.set(id, value);
      return value;
    },
    set(id, value) {
      kept.delete(id);
      kept.set(id, value);
      if (kept.size <= most) return;
      const [oldest] = kept.keys();
      if (oldest !== undefined) kept.delete(oldest);
    },
  };
}

/** Values by id, the latest used of them: of more than it holds, the one that was not used for longest goes. */
export interface LruCache<T> {
  get(id: number): T | undefined;
  set(id: number, value: T): void;
}

export function lruCache<T>(most: number): LruCache<T> {
  const kept = new Map<number, T>();
  return {
    get(id) {
      const value = kept.get(id);
      if (value === undefined) return undefined;
      // A map keeps the order in which its keys came.
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

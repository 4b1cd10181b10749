/** How often each key has been added and not yet taken off. */
export interface Tally {
  of(key: string): number;
  /** Of all keys together. */
  readonly total: number;
  /** The number of keys that have been added `many` times, or more often. */
  readonly manyOf: number;
  add(key: string): void;
  /** Takes one off a key that was added. */
  takeOff(key: string): void;
  /** The keys that have not been taken off as often as they were added. */
  [Symbol.iterator](): Iterator<readonly [key: string, count: number]>;
}

/** Keeps nothing for keys that have been taken off as often as they were added. */
export function tally(many = Number.POSITIVE_INFINITY): Tally {
  const counts = new Map<string, number>();
  let total = 0;
  let manyOf = 0;
  return {
    of: (key) => counts.get(key) ?? 0,
    get total() {
      return total;
    },
    get manyOf() {
      return manyOf;
    },
    add(key) {
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      if (count === many) manyOf += 1;
      total += 1;
    },
    takeOff(key) {
      const count = counts.get(key);
      if (count === undefined) return;
      total -= 1;
      if (count === many) manyOf -= 1;
      if (count === 1) counts.delete(key);
      else counts.set(key, count - 1);
    },
    [Symbol.iterator]: () => counts.entries(),
  };
}

/** How often each key has been added and not yet taken off. */
export interface Tally {
  of(key: string): number;
  /** Whether a key counts `many` or more. */
  isMany(key: string): boolean;
  /** Whether any key does. */
  hasMany(): boolean;
  add(key: string): void;
  /** Takes one off a key that was added. */
  takeOff(key: string): void;
  /** The keys that have not been taken off as often as they were added. */
  [Symbol.iterator](): Iterator<readonly [key: string, count: number]>;
}

/** Keeps nothing for keys that have been taken off as often as they were added. */
export function tally(many = Number.POSITIVE_INFINITY): Tally {
  const counts = new Map<string, number>();
  let keysWithMany = 0;
  const of = (key: string) => counts.get(key) ?? 0;
  return {
    of,
    isMany: (key) => of(key) >= many,
    hasMany: () => keysWithMany > 0,
    add(key) {
      const count = of(key) + 1;
      counts.set(key, count);
      if (count === many) keysWithMany += 1;
    },
    takeOff(key) {
      const count = of(key);
      if (count === many) keysWithMany -= 1;
      if (count > 1) counts.set(key, count - 1);
      else counts.delete(key);
    },
    [Symbol.iterator]: () => counts.entries(),
  };
}

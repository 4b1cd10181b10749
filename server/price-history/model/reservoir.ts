/**
 * A shuffled random sample of `size` items from a stream of unknown length. The same stream gives the same sample
 * (Vitter's algorithm R with a linear congruential generator).
 */
export function reservoir<T>(size: number): { add(one: T): void; sample(): T[] } {
  const kept: T[] = [];
  let seen = 0;
  let state = 1;
  return {
    add(one) {
      seen += 1;
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      const place = Math.floor((state / 2 ** 32) * seen);
      if (kept.length < size) {
        // The first items are inserted at random places: otherwise they would stay in their order.
        kept.push(kept[place] ?? one);
        kept[place] = one;
      } else if (place < size) {
        kept[place] = one;
      }
    },
    sample: () => kept,
  };
}

/**
 * Takes `most` of however many are offered, each with the same chance and in no order; of the same ones in the
 * same order it always takes the same (Vitter's algorithm R on a linear congruential generator).
 */
export function reservoir<T>(most: number): { add(one: T): void; taken(): T[] } {
  const kept: T[] = [];
  let seen = 0;
  let state = 1;
  return {
    add(one) {
      seen += 1;
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      const place = Math.floor((state / 2 ** 32) * seen);
      if (kept.length < most) {
        // Shuffled as they come, since those that fill it would otherwise stay in their order.
        kept.push(kept[place] ?? one);
        kept[place] = one;
      } else if (place < most) {
        kept[place] = one;
      }
    },
    taken: () => kept,
  };
}

/** The lower of the two middle prices; null without prices. `counts` is how often each price occurs. */
export function priceMedian(counts: Iterable<readonly [price: number, count: number]>): number | null {
  const sorted = [...counts].toSorted(([one], [other]) => one - other);
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  let before = Math.floor((total - 1) / 2);
  const middle = sorted.find(([, count]) => {
    before -= count;
    return before < 0;
  });
  return middle?.[0] ?? null;
}

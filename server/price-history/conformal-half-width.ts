/**
 * How far to either side of a prediction a range must reach to hold the next value with a chance of at least
 * `coverage`: split conformal prediction, from the absolute misses on examples that the prediction was not
 * fitted to. Infinite where they are too few to tell.
 */
export function conformalHalfWidth(misses: readonly number[], coverage: number): number {
  const sorted = Float64Array.from(misses).sort();
  return sorted[Math.ceil((sorted.length + 1) * coverage) - 1] ?? Number.POSITIVE_INFINITY;
}

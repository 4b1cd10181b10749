/** The median; null for an empty list. */
export function median(numbers: readonly number[]): number | null {
  const sorted = Float64Array.from(numbers).sort();
  const upper = sorted[sorted.length >> 1];
  const lower = sorted[(sorted.length - 1) >> 1];
  return upper === undefined || lower === undefined ? null : (lower + upper) / 2;
}

/** The median and the quartiles; null for an empty list. */
export function middleHalf(numbers: readonly number[]): { low: number; median: number; high: number } | null {
  const sorted = Float64Array.from(numbers).sort();
  const at = (share: number) => {
    const place = (sorted.length - 1) * share;
    const below = sorted[Math.floor(place)] ?? 0;
    const above = sorted[Math.ceil(place)] ?? 0;
    return below + (above - below) * (place - Math.floor(place));
  };
  return sorted.length === 0 ? null : { low: at(0.25), median: at(0.5), high: at(0.75) };
}

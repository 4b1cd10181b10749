/** The median; null for an empty list. */
export function median(numbers: readonly number[]): number | null {
  const sorted = Float64Array.from(numbers).sort();
  const upper = sorted[sorted.length >> 1];
  const lower = sorted[(sorted.length - 1) >> 1];
  return upper === undefined || lower === undefined ? null : (lower + upper) / 2;
}

/** A mean with its standard error, in which values of one cluster may be alike. */
export interface ClusteredMean {
  mean: number;
  error: number;
  count: number;
}

/**
 * The mean and its cluster-robust standard error (Liang and Zeger, Biometrika, 1986). NaN without values; the
 * error is NaN for fewer than two clusters.
 */
export function clusteredMean(values: readonly { value: number; cluster: number }[]): ClusteredMean {
  const count = values.length;
  const mean = values.reduce((sum, { value }) => sum + value, 0) / count;
  const sums = new Map<number, number>();
  for (const { value, cluster } of values) sums.set(cluster, (sums.get(cluster) ?? 0) + value - mean);
  const squares = [...sums.values()].reduce((sum, one) => sum + one ** 2, 0);
  const correction = sums.size / (sums.size - 1);
  return { mean, error: sums.size < 2 ? Number.NaN : Math.sqrt(squares * correction) / count, count };
}

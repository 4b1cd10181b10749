/** Keys that are tracked. Beyond that, the least recently active one is dropped. */
const MOST_KEYS = 50_000;

export interface TokenBuckets {
  /** Takes a token from a key's bucket. Returns 0, or the seconds until there is one. */
  take(key: string): number;
  /** Gives one back, for what was not done after all. */
  giveBack(key: string): void;
}

/** A bucket of `burst` tokens for each key, which refills steadily. `now` is in milliseconds of a monotonic clock. */
export function tokenBuckets(
  { perMinute, burst }: { perMinute: number; burst: number },
  now: () => number,
): TokenBuckets {
  const buckets = new Map<string, { left: number; at: number }>();
  return {
    take(key) {
      const at = now();
      const before = buckets.get(key) ?? { left: burst, at };
      const left = Math.min(burst, before.left + ((at - before.at) * perMinute) / 60_000);
      buckets.delete(key);
      buckets.set(key, { left: left >= 1 ? left - 1 : left, at });
      const [leastRecent] = buckets.keys();
      if (buckets.size > MOST_KEYS && leastRecent !== undefined) buckets.delete(leastRecent);
      return left >= 1 ? 0 : Math.max(1, Math.ceil(((1 - left) * 60) / perMinute));
    },
    giveBack(key) {
      const bucket = buckets.get(key);
      if (bucket !== undefined) bucket.left = Math.min(burst, bucket.left + 1);
    },
  };
}

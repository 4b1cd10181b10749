import { LRUCache } from 'lru-cache';

/** With more keys, the one that was inactive longest is dropped. */
const MAX_KEYS = 50_000;

export interface TokenBuckets {
  /** Takes tokens from a key's bucket. Returns 0, or the seconds until it has enough tokens. */
  take(key: string, tokens?: number): number;
  /** Returns what `take` would return for one token, but takes none. */
  wait(key: string): number;
  /** Returns an unused token. */
  giveBack(key: string): void;
}

/** A bucket of up to `burst` tokens per key, which refills steadily. `now` is in monotonic milliseconds. */
export function tokenBuckets(
  { perMinute, burst }: { perMinute: number; burst: number },
  now: () => number,
): TokenBuckets {
  const buckets = new LRUCache<string, { left: number; at: number }>({ max: MAX_KEYS });

  function take(key: string, needed: number, taken: number): number {
    const at = now();
    const bucket = buckets.get(key) ?? { left: burst, at };
    bucket.left = Math.min(burst, bucket.left + ((at - bucket.at) * perMinute) / 60_000);
    bucket.at = at;
    buckets.set(key, bucket);
    if (bucket.left < needed) return Math.max(1, Math.ceil(((needed - bucket.left) * 60) / perMinute));
    bucket.left -= taken;
    return 0;
  }

  return {
    take: (key, tokens = 1) => take(key, tokens, tokens),
    wait: (key) => take(key, 1, 0),
    giveBack(key) {
      const bucket = buckets.get(key);
      if (bucket !== undefined) bucket.left = Math.min(burst, bucket.left + 1);
    },
  };
}

import { expect, it } from 'vitest';
import { boundedCache } from './bounded-cache.ts';

it('keeps what was used last, and never more than twice its size', () => {
  const cache = boundedCache<number, string>(10);
  cache.set(0, 'kept');
  for (let key = 1; key < 1_000; key += 1) {
    cache.set(key, String(key));
    expect(cache.get(0)).toBe('kept');
    expect(cache.size).toBeLessThanOrEqual(20);
  }
  expect(cache.get(999)).toBe('999');
  expect(cache.get(1)).toBeUndefined();
});

it('forgets a deleted entry of either generation', () => {
  const cache = boundedCache<number, string>(1);
  cache.set(1, 'old');
  cache.set(2, 'young');
  for (const key of [1, 2]) {
    cache.delete(key);
    expect(cache.get(key)).toBeUndefined();
  }
});

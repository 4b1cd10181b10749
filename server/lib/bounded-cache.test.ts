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

it('counts entries by their weight, one at least being kept', () => {
  const cache = boundedCache<string, string>(100, (key) => key.length);
  for (let nth = 0; nth < 1_000; nth += 1) {
    const key = String(nth).padEnd(10);
    cache.set(key, 'first');
    cache.set(key, 'second');
    expect(cache.get(key)).toBe('second');
    expect(cache.size).toBeLessThanOrEqual(20);
  }
  const heavy = 'x'.repeat(500);
  cache.set(heavy, 'heavy');
  expect(cache.get(heavy)).toBe('heavy');
  for (let nth = 0; nth < 20; nth += 1) cache.set(String(nth).padEnd(10), 'light');
  expect(cache.get(heavy)).toBeUndefined();
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

import { expect, it } from 'vitest';
import { boundedCache, boundedCaches } from './bounded-cache.ts';

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

it('shares a bound with others, and leaves its room to those that are used', () => {
  const makeCache = boundedCaches(100);
  const left = makeCache<number, string>((_key, value) => value.length);
  const used = makeCache<number, string>((_key, value) => value.length);
  for (let key = 0; key < 20; key += 1) left.set(key, 'x'.repeat(10));
  expect(left.size).toBe(20);
  for (let key = 0; key < 1_000; key += 1) {
    used.set(key, 'x'.repeat(10));
    expect(left.size + used.size).toBeLessThanOrEqual(20);
  }
  expect(left.size).toBe(0);
  expect(used.get(999)).toBeDefined();
});

it('counts what has replaced an entry, and no longer what was replaced or deleted', () => {
  const cache = boundedCache<number, string>(100, (_key, value) => value.length);
  cache.set(0, 'kept');
  for (let nth = 0; nth < 100; nth += 1) {
    cache.set(1, 'x'.repeat(90));
    cache.set(1, 'x');
    cache.set(2, 'x'.repeat(90));
    cache.delete(2);
  }
  expect(cache.size).toBe(2);
  cache.set(1, 'x'.repeat(97));
  cache.set(3, 'x'.repeat(97));
  expect(cache.get(0)).toBeUndefined();
});

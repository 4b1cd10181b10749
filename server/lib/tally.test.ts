import { expect, it } from 'vitest';
import { tally } from './tally.ts';

it('counts each key, and all of them, until they are taken off', () => {
  const counts = tally();
  for (const key of ['a', 'a', 'b']) counts.add(key);
  expect([counts.of('a'), counts.of('b'), counts.of('c'), counts.total]).toEqual([2, 1, 0, 3]);
  counts.takeOff('a');
  counts.takeOff('b');
  expect([...counts]).toEqual([['a', 1]]);
  expect(counts.total).toBe(1);
});

it('knows how many keys have been added often', () => {
  const counts = tally(2);
  for (const key of ['a', 'a', 'a', 'b']) counts.add(key);
  expect(counts.manyOf).toBe(1);
  counts.takeOff('a');
  expect(counts.manyOf).toBe(1);
  counts.takeOff('a');
  expect(counts.manyOf).toBe(0);
});

it('takes nothing off a key that was not added', () => {
  const counts = tally();
  counts.add('a');
  counts.takeOff('b');
  expect([counts.of('b'), counts.total]).toEqual([0, 1]);
});

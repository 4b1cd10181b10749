import { expect, it } from 'vitest';
import { tally } from './tally.ts';

it('counts each key until it is taken off', () => {
  const counts = tally();
  for (const key of ['a', 'a', 'b']) counts.add(key);
  expect([counts.of('a'), counts.of('b'), counts.of('c')]).toEqual([2, 1, 0]);
  counts.takeOff('a');
  counts.takeOff('b');
  expect([...counts]).toEqual([['a', 1]]);
});

it('knows which keys have been added often, and whether any has', () => {
  const counts = tally(2);
  const isMany = () => [counts.isMany('a'), counts.isMany('b'), counts.hasMany()];
  for (const key of ['a', 'a', 'a', 'b']) counts.add(key);
  expect(isMany()).toEqual([true, false, true]);
  counts.takeOff('a');
  expect(isMany()).toEqual([true, false, true]);
  counts.takeOff('a');
  expect(isMany()).toEqual([false, false, false]);
});

it('takes nothing off a key that was not added', () => {
  const counts = tally();
  counts.add('a');
  counts.takeOff('b');
  expect([...counts]).toEqual([['a', 1]]);
});

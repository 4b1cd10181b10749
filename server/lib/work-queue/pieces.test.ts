import { expect, it } from 'vitest';
import { eachInPieces, LONGEST_PIECE } from './pieces.ts';

/** Keeps this thread busy for longer than a piece of work may take. */
function workForLong(): void {
  const until = performance.now() + LONGEST_PIECE + 0.1;
  while (performance.now() < until);
}

it('visits every item in order, and rests after each piece of work', async () => {
  const order: (number | string)[] = [];
  await eachInPieces(
    [1, 2, 3],
    (item) => {
      if (item !== 2) workForLong();
      order.push(item);
    },
    async () => {
      order.push('rest');
    },
  );
  expect(order.filter((entry) => entry !== 'rest')).toEqual([1, 2, 3]);
  expect(order.slice(0, 2)).toEqual([1, 'rest']);
  expect(order.at(-1)).toBe('rest');
});

it('visits nothing more if it may not go on', async () => {
  const visited: number[] = [];
  const visits = eachInPieces(
    [1, 2, 3],
    (item) => {
      visited.push(item);
      workForLong();
    },
    () => Promise.reject(new Error('Nobody waits any more')),
  );
  await expect(visits).rejects.toThrow('Nobody waits');
  expect(visited).toEqual([1]);
});

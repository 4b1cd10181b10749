import { expect, it } from 'vitest';
import { tokenBuckets } from './token-buckets.ts';

it('allows each key its burst, then what has refilled', () => {
  let now = 0;
  const { take } = tokenBuckets({ perMinute: 60, burst: 3 }, () => now);
  expect([take('a'), take('a'), take('a'), take('a'), take('b')]).toEqual([0, 0, 0, 1, 0]);
  now = 2_000;
  expect([take('a'), take('a'), take('a')]).toEqual([0, 0, 1]);
  now = 3_600_000;
  expect([take('a'), take('a'), take('a'), take('a')]).toEqual([0, 0, 0, 1]);
});

it('takes back tokens, up to the burst', () => {
  const { take, giveBack } = tokenBuckets({ perMinute: 60, burst: 2 }, () => 0);
  expect([take('a'), take('a')]).toEqual([0, 0]);
  giveBack('a');
  expect([take('a'), take('a')]).toEqual([0, 1]);
  for (let nth = 0; nth < 5; nth += 1) giveBack('a');
  giveBack('unknown');
  expect([take('a'), take('a'), take('a')]).toEqual([0, 0, 1]);
});

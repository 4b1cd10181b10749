import { expect, it } from 'vitest';
import { virtualClock } from '../../tests/fixtures/virtual-clock.ts';
import { heldRefusals } from './held-refusals.ts';

/** Refuses so many requests of networks at once. Returns the milliseconds after which each was sent, in that order. */
function refuse(count: number, networkOf: (nth: number) => string) {
  const clock = virtualClock();
  const refusals = heldRefusals(clock);
  const from = clock.now();
  const sentAfter: number[] = [];
  for (let nth = 0; nth < count; nth += 1) {
    refusals.hold(networkOf(nth), from, () => sentAfter.push(clock.now() - from));
  }
  return { clock, sentAfter };
}

it('sends the first refusals of a network at once, and the others within a second', async () => {
  const { clock, sentAfter } = refuse(40, () => 'one');
  expect(sentAfter).toEqual(Array(10).fill(0));
  await clock.advance(600);
  expect(sentAfter).toHaveLength(10);
  await clock.advance(300);
  expect(sentAfter).toHaveLength(40);
});

it('spreads the refusals of one network over time, so that its clients do not ask again together', async () => {
  const { clock, sentAfter } = refuse(100, () => 'one');
  for (let ms = 0; ms < 900; ms += 1) await clock.advance(1);
  const held = sentAfter.filter((after) => after > 0);
  expect(held).toHaveLength(90);
  expect(held).toEqual(held.toSorted((one, other) => one - other));
  const together = Object.values(Object.groupBy(held, (after) => Math.floor(after / 10)));
  expect(Math.max(...together.map((ofTime) => ofTime?.length ?? 0))).toBeLessThan(12);
});

it('sends all that are due when its timer is late', async () => {
  const { clock, sentAfter } = refuse(60, () => 'one');
  clock.block(2_000);
  await clock.advance(1);
  expect(sentAfter).toHaveLength(60);
});

it('sends those first that have the least time left when too many are held', async () => {
  const { clock, sentAfter } = refuse(2_150, (nth) => `network ${nth}`);
  expect(sentAfter).toHaveLength(150);
  await clock.advance(900);
  expect(sentAfter).toHaveLength(2_150);
});

import { expect, it } from 'vitest';
import { virtualClock } from '../../../tests/fixtures/virtual-clock.ts';
import { eventLoopTurns, processLoop } from './turns.ts';
import { workQueue } from './work-queue.ts';

const SETTINGS = {
  name: 'main',
  concurrency: 1,
  maxWaiting: 100,
  maxWaitMs: 700,
  maxRunMs: null,
  msPerUnit: 1,
};

it('lets other events in between long work, and another network in before the rest of a flood', async () => {
  const clock = virtualClock();
  const turn = eventLoopTurns(workQueue(SETTINGS, clock), { ...processLoop, now: clock.now });
  const order: string[] = [];
  const ask = async (network: string) => {
    await turn({ network, signal: null });
    // Work of several steps that all follow at once.
    for (let step = 0; step < 5; step += 1) await Promise.resolve();
    clock.block(3);
    order.push(network);
  };
  const flood = Array.from({ length: 20 }, () => ask('flood'));
  setImmediate(() => {
    order.push('event');
    void ask('other');
  });
  await Promise.all(flood);
  expect(order.indexOf('event')).toBeLessThan(5);
  expect(order.indexOf('other')).toBeLessThan(order.indexOf('event') + 4);
  expect(order).toHaveLength(22);
});

import { expect, it } from 'vitest';
import { virtualClock } from '../../tests/fixtures/virtual-clock.ts';
import { inTime } from './in-time.ts';

function thread() {
  const clock = virtualClock();
  const open: PromiseWithResolvers<number>[] = [];
  const read = inTime(() => {
    const question = Promise.withResolvers<number>();
    open.push(question);
    return question.promise;
  }, clock);
  return { clock, open, read };
}

it('waits a second for a thread that is held up, and asks it once however often it is asked', async () => {
  const { clock, open, read } = thread();
  for (let scrape = 1; scrape <= 60; scrape += 1) {
    const reading = read();
    await clock.advance(1_000);
    expect(await reading).toBeNull();
  }
  expect(open).toHaveLength(1);
  expect(clock.pending).toBe(0);
});

it('asks again once the thread has answered, in time or late', async () => {
  const { clock, open, read } = thread();
  const late = read();
  await clock.advance(1_000);
  open[0]?.resolve(1);
  expect(await late).toBeNull();
  await new Promise(setImmediate);
  const [first, second] = [read(), read()];
  expect(open).toHaveLength(2);
  open[1]?.resolve(2);
  expect(await Promise.all([first, second])).toEqual([2, 2]);
  expect(clock.pending).toBe(0);
});

it('has no figures of a thread that fails, and asks it again', async () => {
  const { open, read } = thread();
  const failing = read();
  open[0]?.reject(new Error('the store is locked'));
  expect(await failing).toBeNull();
  await new Promise(setImmediate);
  const reading = read();
  open[1]?.resolve(3);
  expect(await reading).toBe(3);
});

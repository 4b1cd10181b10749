import { expect, it } from 'vitest';
import { virtualClock } from '../../../tests/fixtures/virtual-clock.ts';
import { workQueue } from './work-queue.ts';

const SETTINGS = {
  name: 'searches',
  concurrency: 1,
  maxWaiting: 10,
  maxWaitMs: 2_000,
  maxRunMs: 5_000,
  msPerUnit: 0.01,
};

it('does not take the start of a thread for the speed of the work behind it', async () => {
  const clock = virtualClock();
  const queue = workQueue(SETTINGS, clock);
  const asked = (network: string, cost: number, ms: number) =>
    queue.run({ network, signal: null }, cost, () => sleep(ms));
  const sleep = (ms: number) => new Promise<void>((resolve) => void clock.after(ms, resolve));

  const first = asked('a', 20, 1_500);
  await clock.advance(1_500);
  await first;
  const running = asked('a', 100, 30);
  const waiting = asked('b', 100, 30);
  await clock.advance(100);
  await expect(Promise.all([running, waiting])).resolves.toHaveLength(2);

  // A slow time per unit, measured over many units, still counts.
  const slow = asked('a', 1_900, 1_900);
  await clock.advance(1_900);
  await slow;
  const large = [asked('a', 1_900, 1_900), asked('a', 1_900, 1_900)];
  await expect(asked('a', 1_900, 1_900)).rejects.toMatchObject({ name: 'Overloaded' });
  await clock.advance(4_000);
  await Promise.all(large);
});

it('refuses little late of what it lets in, under a flood of work that is slow now and then', async () => {
  const clock = virtualClock();
  const queue = workQueue(
    { ...SETTINGS, maxWaiting: 500, maxWaitMs: 700, maxExpectedWaitMs: 550, msPerUnit: 2 },
    clock,
  );
  const sleep = (ms: number) => new Promise<void>((resolve) => void clock.after(ms, resolve));
  let begun = 0;
  const work = () => {
    begun += 1;
    // Behind one piece in ten, the event loop reads what has come in.
    return sleep(begun % 10 === 0 ? 13 : 3);
  };
  const outcomes = { done: 0, refused: 0 };
  for (let nth = 0; nth < 10_000; nth += 1) {
    void queue.run({ network: `visitor ${nth}`, signal: null }, 1, work).then(
      () => (outcomes.done += 1),
      () => (outcomes.refused += 1),
    );
    await clock.advance(1);
  }
  const { refused } = queue.status();
  expect(outcomes.done).toBeGreaterThan(2_300);
  expect(refused.slow).toBeGreaterThan(5_000);
  expect(refused.late).toBeLessThan(outcomes.done / 50);
});

/** A queue with room for four, two of them of one network beside others, and who is at work. */
function sharedRoom() {
  const clock = virtualClock();
  const queue = workQueue(
    { ...SETTINGS, concurrency: 4, mostOfNetwork: 2, maxWaiting: 100, msPerUnit: 100 },
    clock,
  );
  const atWork: string[] = [];
  const ask = (network: string, ms = 100) =>
    queue.run({ network, signal: null }, 1, async () => {
      atWork.push(network);
      await new Promise<void>((resolve) => void clock.after(ms, resolve));
      atWork.splice(atWork.indexOf(network), 1);
    });
  return { clock, queue, atWork, ask };
}

it('leaves room for others beside a network that asks for much', async () => {
  const { clock, atWork, ask } = sharedRoom();
  void ask('other');
  const asked = Array.from({ length: 6 }, () => ask('one'));
  expect(atWork).toEqual(['other', 'one', 'one']);
  void ask('third');
  expect(atWork).toEqual(['other', 'one', 'one', 'third']);
  await clock.advance(100);
  expect(atWork).toEqual(['one', 'one']);
  void ask('other');
  expect(atWork).toEqual(['one', 'one', 'other']);
  await clock.advance(300);
  await Promise.all(asked);
});

it('gives a network that is alone all the room', async () => {
  const { clock, atWork, ask } = sharedRoom();
  void ask('other');
  await clock.advance(1_100);
  const asked = Array.from({ length: 5 }, () => ask('one'));
  expect(atWork).toHaveLength(4);
  await clock.advance(300);
  await Promise.all(asked);
});

it('refuses at once what a network would wait for too long behind its own work', async () => {
  const { clock, queue, ask } = sharedRoom();
  void ask('other');
  const asked = Array.from({ length: 2 }, () => ask('one', 1_500));
  await clock.advance(1);
  for (let nth = 0; nth < 40; nth += 1) void ask('one', 100).catch(() => {});
  expect(queue.status().refused).toMatchObject({ slow: 1, full: 0 });
  void ask('third');
  expect(queue.status().running).toBe(4);
  await clock.advance(5_000);
  await Promise.all(asked);
  expect(queue.status()).toMatchObject({ running: 0, waiting: 0 });
});

import { expect, it, vi } from 'vitest';
import { virtualClock } from '../../../tests/fixtures/virtual-clock.ts';
import { type Caller, CallerGone } from '../caller.ts';
import { type Work, type WorkQueueSettings, workQueue } from './work-queue.ts';

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

it('tells each caller once how long its work took, also one that has hung up or never began', async () => {
  const clock = virtualClock();
  const queue = workQueue(SETTINGS, clock);
  const sleep = (ms: number) => new Promise<void>((resolve) => void clock.after(ms, resolve));
  const told: Record<string, number[]> = { measured: [], waiting: [], leaving: [], failing: [] };
  const ask = (network: string, signal: AbortSignal | null, work: Work<void>) => {
    const worked = (ms: number) => void told[network]?.push(ms);
    return queue.run({ network, signal, worked }, 1, work).catch(() => {});
  };
  const hungUp = new AbortController();
  const all = [
    ask('measured', null, async (_signal, took) => {
      await sleep(30);
      took(12);
    }),
    ask('leaving', hungUp.signal, () => sleep(50)),
    ask('waiting', hungUp.signal, () => sleep(50)),
    ask('failing', null, () => sleep(5).then(() => Promise.reject(new Error('no')))),
  ];
  await clock.advance(40);
  expect(told).toMatchObject({ measured: [12], waiting: [] });
  hungUp.abort();
  expect(told).toMatchObject({ measured: [12], waiting: [0], leaving: [] });
  await clock.advance(100);
  await Promise.all(all);
  expect(told).toEqual({ measured: [12], waiting: [0], leaving: [50], failing: [5] });
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

/** A thread that does one piece after the other, and the queue before it. Work is known by its network's name. */
function threadBehindQueue(settings: Partial<WorkQueueSettings> = {}) {
  const clock = virtualClock();
  const queue = workQueue({ ...SETTINGS, msPerUnit: 1, ...settings }, clock);
  const handedOver: string[] = [];
  const refused: string[] = [];
  let isFreeAt = 0;
  /** `readAfter`: milliseconds between the end of the work and the moment at which the event loop knows of it. */
  const ask = (
    network: string,
    ms: number,
    { cost = ms, readAfter = 0, ...caller }: { cost?: number; readAfter?: number } & Partial<Caller> = {},
  ) => {
    const work: Work<void> = (_, took) => {
      handedOver.push(network);
      isFreeAt = Math.max(isFreeAt, clock.now()) + ms;
      took(ms);
      return new Promise((resolve) => void clock.after(isFreeAt - clock.now() + readAfter, resolve));
    };
    void queue.run({ network, signal: null, ...caller }, cost, work).catch(() => refused.push(network));
  };
  return { clock, queue, handedOver, refused, ask };
}

const AHEAD = { ahead: { pieces: 3, ms: 50 } };

it('hands short work over ahead, so that a thread does not wait for a busy event loop', () => {
  const { handedOver, ask } = threadBehindQueue(AHEAD);
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) ask(name, 10);
  expect(handedOver).toEqual(['a', 'b', 'c', 'd']);
});

it('hands nothing over behind work that is long, until little of it is left', async () => {
  const { clock, handedOver, ask } = threadBehindQueue(AHEAD);
  ask('long', 400);
  ask('next', 10);
  await clock.advance(300);
  ask('late', 10);
  expect(handedOver).toEqual(['long']);
  await clock.advance(65);
  ask('last', 10);
  expect(handedOver).toEqual(['long', 'next', 'late']);
});

it('refuses late what was handed over and has not begun, and lets it run for its time from when it begins', async () => {
  const { clock, queue, refused, ask } = threadBehindQueue({ ...AHEAD, maxRunMs: 3_000 });
  ask('slow', 2_500, { cost: 10 });
  ask('behind', 10);
  await clock.advance(2_400);
  expect(refused).toEqual(['behind']);
  await clock.advance(200);
  ask('slow', 1_000, { cost: 10 });
  ask('runs', 2_900, { cost: 10 });
  await clock.advance(4_000);
  expect(refused).toEqual(['behind']);
  expect(queue.status()).toMatchObject({ running: 0, waiting: 0, refused: { late: 1, aborted: 0 } });
});

it('gives work that was handed over ahead all its time to run, from when the work before it has ended', async () => {
  const clock = virtualClock();
  const queue = workQueue({ ...SETTINGS, ...AHEAD, maxWaitMs: 100, maxRunMs: 1_000, msPerUnit: 1 }, clock);
  const [one, two] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const first = queue.run({ network: 'a', signal: null }, 1, () => one.promise);
  const second = queue.run({ network: 'b', signal: null }, 1, () => two.promise);
  const aborted = expect(second).rejects.toMatchObject({ name: 'Overloaded' });
  await clock.advance(50);
  one.resolve();
  await first;
  await new Promise(setImmediate);
  await clock.advance(300);
  expect(queue.status().refused).toMatchObject({ late: 0, aborted: 0 });
  await clock.advance(800);
  expect(queue.status().refused).toMatchObject({ late: 0, aborted: 1 });
  await aborted;
  two.resolve();
});

it('does no work for a caller that is gone when it asks', async () => {
  const queue = workQueue(SETTINGS, virtualClock());
  const work = vi.fn(async () => {});
  const asked = queue.run({ network: 'a', signal: AbortSignal.abort() }, 1, work);
  await expect(asked).rejects.toThrow(CallerGone);
  expect(work).not.toHaveBeenCalled();
  expect(queue.status()).toMatchObject({ running: 0, waiting: 0, refused: { gone: 1 } });
});

it('does no work that has waited too long at its turn, also if the event loop was blocked meanwhile', async () => {
  const clock = virtualClock();
  const queue = workQueue({ ...SETTINGS, maxWaitMs: 100 }, clock);
  const running = Promise.withResolvers<void>();
  const first = queue.run({ network: 'a', signal: null }, 1, () => running.promise);
  const work = vi.fn(async () => {});
  const refused = expect(queue.run({ network: 'b', signal: null }, 1, work)).rejects.toMatchObject({
    name: 'Overloaded',
  });
  // No timer runs before the work has ended.
  clock.block(500);
  running.resolve();
  await first;
  await refused;
  expect(work).not.toHaveBeenCalled();
  expect(queue.status().refused).toMatchObject({ late: 1 });
});

it('does not take the time in which a result waits to be read for the time of the work', async () => {
  const { clock, queue, ask } = threadBehindQueue();
  for (let nth = 0; nth < 20; nth += 1) {
    ask('a', 10, { readAfter: 200 });
    await clock.advance(210);
  }
  for (let nth = 0; nth < 6; nth += 1) ask('a', 300);
  expect(queue.status()).toMatchObject({ running: 1, waiting: 5, refused: { slow: 0 } });
});

it('lets a burst wait for long, and tells who comes in a flood at once', async () => {
  const { clock, queue, ask } = threadBehindQueue({ maxStandingWaitMs: 650, maxWaiting: 100 });
  for (let nth = 0; nth < 8; nth += 1) ask('burst', 200);
  expect(queue.status()).toMatchObject({ waiting: 7, refused: { slow: 0 } });
  await clock.advance(900);
  ask('burst', 200);
  expect(queue.status().refused.slow).toBe(0);
  await clock.advance(200);
  ask('burst', 200);
  expect(queue.status().refused.slow).toBe(1);
  // Whoever would come again much later waits also then.
  ask('burst', 200, { isPatient: true });
  expect(queue.status().refused.slow).toBe(1);
  await clock.advance(2_000);
  for (let nth = 0; nth < 8; nth += 1) ask('burst', 200);
  expect(queue.status().refused.slow).toBe(1);
});

it('sees a flood also where nothing waits now and then', async () => {
  const { clock, queue, ask } = threadBehindQueue({ maxStandingWaitMs: 650, maxWaiting: 100 });
  for (let round = 0; round < 4; round += 1) {
    for (let nth = 0; nth < 5; nth += 1) ask('small', 100);
    await clock.advance(500);
  }
  expect(queue.status()).toMatchObject({ waiting: 0, running: 0, refused: { slow: 0 } });
  for (let nth = 0; nth < 8; nth += 1) ask('large', 200);
  expect(queue.status()).toMatchObject({ waiting: 3, refused: { slow: 4 } });
});

/** A thread whose queue stands in a flood, and expects that the next work waits for 400 ms. */
async function threadInFlood() {
  const thread = threadBehindQueue({ maxStandingWaitMs: 650, maxWaiting: 100 });
  const { clock, ask } = thread;
  for (let nth = 0; nth < 15; nth += 1) ask(`first ${nth}`, 100);
  await clock.advance(1_550);
  for (let nth = 0; nth < 4; nth += 1) ask(`then ${nth}`, 100);
  return thread;
}

it('counts what has been waited in other queues, in a flood', async () => {
  const { clock, refused, ask } = await threadInFlood();
  const cameAgo = (ms: number) => ({ waitsInFloodUntil: clock.now() + 850 - ms });
  ask('came 400 ms ago', 100, cameAgo(400));
  ask('came 500 ms ago', 100, cameAgo(500));
  ask('webhook', 100, { isPatient: true, ...cameAgo(500) });
  await clock.advance(0);
  expect(refused).toEqual(['came 500 ms ago']);
  await clock.advance(1_000);
  expect(refused).toEqual(['came 500 ms ago']);
});

it('refuses within a second in a flood, although it expected to be faster', async () => {
  const { clock, refused, ask } = await threadInFlood();
  // It is taken for small.
  ask('slow', 3_000, { cost: 1 });
  ask('visitor', 100);
  ask('webhook', 100, { isPatient: true });
  await clock.advance(840);
  expect(refused).toEqual([]);
  await clock.advance(20);
  expect(refused).toContain('visitor');
  expect(refused).not.toContain('webhook');
  await clock.advance(1_200);
  expect(refused).toContain('webhook');
});

it('refuses what came in a burst within a second if it can no longer be done in time', async () => {
  const { clock, refused, ask } = threadBehindQueue({ maxStandingWaitMs: 650 });
  ask('first', 700, { cost: 100 });
  // It was expected that all wait for less than two seconds. What is now expected is seven times as much.
  for (const name of ['second', 'third', 'fourth', 'fifth']) ask(name, 700, { cost: 100 });
  await clock.advance(840);
  expect(refused).toEqual([]);
  await clock.advance(20);
  expect(refused).toEqual(['fourth', 'fifth']);
  await clock.advance(4_000);
  expect(refused).toEqual(['fourth', 'fifth']);
});

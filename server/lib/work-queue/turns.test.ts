import { expect, it } from 'vitest';
import { virtualClock } from '../../../tests/fixtures/virtual-clock.ts';
import { type Caller, CallerGone } from '../caller.ts';
import { Overloaded } from '../overloaded.ts';
import { eventLoopTurns, processLoop, type RequestTurn } from './turns.ts';
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
  const turns = eventLoopTurns(workQueue(SETTINGS, clock), {
    ...processLoop(),
    now: clock.now,
    threadTime: clock.now,
  });
  const order: string[] = [];
  const ask = async (network: string) => {
    await turns.request({ network, signal: null });
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

it('says which requests are held back: those of a network that asks for more than its share beside others', async () => {
  const clock = virtualClock();
  const turns = eventLoopTurns(workQueue(SETTINGS, clock), {
    ...processLoop(),
    now: clock.now,
    threadTime: clock.now,
    after: clock.after,
  });
  const ask = async (network: string, isLocal = false) => {
    let turn: RequestTurn | null = null;
    void turns.request({ network, signal: null, isLocal }).then((had) => {
      turn = had;
      clock.block(5);
    });
    while (turn === null) {
      await new Promise((resolve) => setImmediate(resolve));
      if (turn === null) await clock.advance(1);
    }
    return (turn as RequestTurn).isHeldBack;
  };
  const alone = [];
  for (let nth = 0; nth < 100; nth += 1) alone.push(await ask('greedy'));
  expect(new Set(alone)).toEqual(new Set([false]));
  const [greedy, others, local]: boolean[][] = [[], [], []];
  for (let nth = 0; nth < 100; nth += 1) {
    greedy?.push(await ask('greedy'));
    others?.push(await ask(`visitor ${nth % 20}`));
    local?.push(await ask('connection 1', true));
  }
  expect(new Set(others)).toEqual(new Set([false]));
  expect(new Set(local)).toEqual(new Set([false]));
  expect(greedy?.filter((isHeldBack) => isHeldBack).length).toBeGreaterThan(75);
});

it('holds back the large answers of this machine beside small requests of others, and never small ones', async () => {
  const clock = virtualClock();
  const turns = eventLoopTurns(workQueue(SETTINGS, clock), {
    ...processLoop(),
    now: clock.now,
    threadTime: clock.now,
    after: clock.after,
  });
  const local = (network: string) => ({ network, signal: null, isLocal: true });
  const waitFor = async (turn: Promise<unknown>) => {
    const from = clock.now();
    let waited: number | null = null;
    void turn.then(() => {
      waited = clock.now() - from;
      clock.block(5);
    });
    while (waited === null) {
      await new Promise((resolve) => setImmediate(resolve));
      if (waited === null) await clock.advance(1);
    }
    return waited;
  };
  const hundredAnswers = async (beforeEach: () => void) => {
    let waited = 0;
    for (let nth = 0; nth < 100; nth += 1) {
      beforeEach();
      waited += await waitFor(turns.reserveAnswer(local(`connection ${nth % 2}`)).take());
    }
    return waited;
  };
  expect(await hundredAnswers(() => {})).toBeLessThan(100);
  // 500 ms of work are a tenth of five seconds, less the burst and the work itself.
  const other = local('another connection');
  expect(await hundredAnswers(() => turns.smallRequest(other))).toBeGreaterThan(2_500);
  expect(await waitFor(turns.request(other))).toBeLessThan(5);
});

it('lets others in between the pieces of a search, and holds back its network for them', async () => {
  const clock = virtualClock();
  const turns = eventLoopTurns(workQueue(SETTINGS, clock), {
    ...processLoop(),
    now: clock.now,
    threadTime: clock.now,
    after: clock.after,
  });
  const searching = { network: 'searching', signal: null };
  const other = { network: 'other', signal: null };
  const waitFor = async (turn: Promise<unknown>, work: number) => {
    const from = clock.now();
    let waited: number | null = null;
    void turn.then(() => {
      waited = clock.now() - from;
      clock.block(work);
    });
    while (waited === null) {
      await new Promise((resolve) => setImmediate(resolve));
      if (waited === null) await clock.advance(1);
    }
    return waited;
  };
  let waitedForPieces = 0;
  for (let nth = 0; nth < 100; nth += 1) {
    const piece = waitFor(turns.rest(searching, 1, 'small request'), 2);
    expect(await waitFor(turns.request(other), 1)).toBeLessThan(5);
    waitedForPieces += await piece;
  }
  // 300 ms of work are a tenth of three seconds, less the burst and the work itself.
  expect(waitedForPieces).toBeGreaterThan(1_200);
  expect(await waitFor(turns.request(searching), 1)).toBeGreaterThan(0);
  // What it costs to find out that the caller has gone counts too.
  await waitFor(turns.request(other), 1);
  const gone = { ...searching, signal: AbortSignal.abort() };
  for (let nth = 0; nth < 4; nth += 1) {
    await expect(turns.rest(gone, 30, 'small request')).rejects.toBeInstanceOf(CallerGone);
  }
  await expect(turns.request(searching)).rejects.toBeInstanceOf(Overloaded);
});

it('lets waiting connections in before the next work, a number of them at most', async () => {
  const loop = processLoop();
  let passes = 0;
  let waiting = 10;
  const acceptOne = () => {
    passes += 1;
    if (waiting > 0) {
      waiting -= 1;
      loop.accepted();
      setImmediate(acceptOne);
    }
  };
  const afterLongWork = performance.now() - 10_000;
  const nextPass = () => new Promise<void>((resolve) => loop.nextPass(resolve, afterLongWork));
  acceptOne();
  await nextPass();
  expect({ waiting, passes }).toEqual({ waiting: 0, passes: 11 });
  waiting = 1_000;
  acceptOne();
  await nextPass();
  expect(waiting).toBeGreaterThan(900);
  expect(waiting).toBeLessThan(950);
  waiting = 0;
});

it.each([
  { workMs: 2, accepted: 2 },
  { workMs: 8, accepted: 5 },
  { workMs: 40, accepted: 21 },
])('lets connections in for a quarter of the $workMs ms that work took', async ({ workMs, accepted }) => {
  const clock = virtualClock();
  const loop = processLoop(undefined, clock.now);
  let isOpen = true;
  let passes = 0;
  const acceptOne = () => {
    if (!isOpen) return;
    passes += 1;
    clock.block(0.5);
    loop.accepted();
    setImmediate(acceptOne);
  };
  await new Promise<void>((resolve) => {
    loop.nextPass(resolve);
    clock.block(workMs - 0.5);
    acceptOne();
  });
  isOpen = false;
  expect(passes).toBe(accepted);
});

it('lets others in between the pieces of an answer, which follow each other, and counts them all', async () => {
  const clock = virtualClock();
  const loop = { ...processLoop(), now: clock.now, threadTime: clock.now, after: clock.after };
  const turns = eventLoopTurns(workQueue(SETTINGS, clock), loop);
  const order: string[] = [];
  const work = async (turn: Promise<unknown>, name: string) => {
    await turn;
    order.push(name);
    clock.block(5);
  };
  await work(turns.request({ network: 'other', signal: null }), 'other');
  const one = { network: 'one', signal: null };
  const time = turns.reserveAnswer(one);
  const from = clock.now();
  for (let nth = 0; nth < 20; nth += 1) {
    const piece = work(time.take(), 'piece');
    const others = work(turns.request({ network: `other ${nth}`, signal: null }), 'other');
    await Promise.all([piece, others]);
  }
  expect(order.filter((name) => name === 'other')).toHaveLength(21);
  // Nobody waits for anything but the work itself.
  expect(clock.now() - from).toBe(20 * 10);
  expect(order.join(' ')).not.toContain('piece piece');
  // 100 ms of work in 200 are more than its tenth and what it may do at once.
  const next = work(turns.reserveAnswer(one).take(), 'next answer');
  for (let pass = 0; pass < 3; pass += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(order).not.toContain('next answer');
  await clock.advance(1_200);
  await next;
});

it('gives back the time of answers that are never made', async () => {
  const clock = virtualClock();
  const loop = { ...processLoop(), now: clock.now, threadTime: clock.now, after: clock.after };
  const turns = eventLoopTurns(workQueue(SETTINGS, clock), loop);
  await turns.request({ network: 'other', signal: null });
  await new Promise((resolve) => setImmediate(resolve));
  const reserve = () => turns.reserveAnswer({ network: 'one', signal: null });
  for (let nth = 0; nth < 1_000; nth += 1) {
    const time = reserve();
    time.release();
    time.release();
  }
  const kept = () => {
    for (let nth = 0; nth < 1_000; nth += 1) reserve();
  };
  expect(kept).toThrow(expect.objectContaining({ name: 'Overloaded' }));
});

it('does not hold a standstill of the machine against the network that was at work', async () => {
  const clock = virtualClock();
  let worked = 0;
  const loop = { ...processLoop(), now: clock.now, threadTime: () => worked, after: clock.after };
  const turns = eventLoopTurns(workQueue(SETTINGS, clock), loop);
  /** Whether the network has its turn at once. */
  const ask = async (network: string, busyMs: number, standstillMs = 0) => {
    let isAtOnce = false;
    void turns.request({ network, signal: null }).then(() => {
      isAtOnce = true;
      clock.block(busyMs + standstillMs);
      worked += busyMs;
    });
    for (let pass = 0; pass < 3; pass += 1) await new Promise((resolve) => setImmediate(resolve));
    return isAtOnce;
  };
  await ask('other', 1);
  const stoodStill = [await ask('visitor', 1, 30), await ask('visitor', 1, 30), await ask('visitor', 1)];
  expect(stoodStill).toEqual([true, true, true]);
  await ask('other', 1);
  const hasWorked = [await ask('busy', 30), await ask('busy', 30), await ask('busy', 1)];
  expect(hasWorked).toEqual([true, false, false]);
});

it('gives a network a quarter of the time of threads beside others, by what its work has taken', async () => {
  const clock = virtualClock();
  const loop = { ...processLoop(), now: clock.now, threadTime: clock.now, after: clock.after };
  const turns = eventLoopTurns(workQueue(SETTINGS, clock), loop);
  const caller = { network: 'one', signal: null };
  let ran = 0;
  const threadTime = { expected: 20, taken: 20 };
  /** Asks all the time. Returns the milliseconds of the thread in ten seconds. */
  const tenSeconds = async (beforeEach: () => Promise<unknown>) => {
    ran = 0;
    let refused = 0;
    for (const from = clock.now(); clock.now() < from + 10_000; ) {
      await beforeEach();
      turns
        .inThread(caller, threadTime.expected, async ({ worked }) => {
          ran += threadTime.taken;
          worked?.(threadTime.taken);
        })
        .catch(() => {
          refused += 1;
        });
      await clock.advance(10);
    }
    return { ran, refused };
  };
  expect(await tenSeconds(async () => {})).toEqual({ ran: 20_000, refused: 0 });
  const other = async () => {
    await turns.request({ network: 'other', signal: null });
    await new Promise((resolve) => setImmediate(resolve));
  };
  const beside = await tenSeconds(other);
  expect(beside.ran).toBeGreaterThan(2_000);
  expect(beside.ran).toBeLessThan(3_300);
  expect(beside.refused).toBeGreaterThan(500);
  // What never begins takes nothing.
  threadTime.taken = 0;
  await clock.advance(5_000);
  expect((await tenSeconds(other)).refused).toBe(0);
});

it('gives back at once what is set aside for callers that hang up', async () => {
  const clock = virtualClock();
  const loop = { ...processLoop(), now: clock.now, threadTime: clock.now, after: clock.after };
  const turns = eventLoopTurns(workQueue(SETTINGS, clock), loop);
  await turns.request({ network: 'other', signal: null });
  await new Promise((resolve) => setImmediate(resolve));
  /** As a queue does it whose callers hang up before their work begins. */
  const withdrawn = ({ signal, worked }: Caller) =>
    new Promise<void>((_, reject) => {
      signal?.addEventListener('abort', () => {
        worked?.(0);
        reject(new CallerGone());
      });
    });
  const search = (signal: AbortSignal) => turns.inThread({ network: 'one', signal }, 100, withdrawn);
  const answer = (signal: AbortSignal) => turns.request({ network: 'one', signal });
  for (const ask of [search, answer]) {
    for (let nth = 0; nth < 20; nth += 1) {
      const leaving = new AbortController();
      const asked = Array.from({ length: 100 }, () => ask(leaving.signal));
      leaving.abort();
      const outcomes = await Promise.allSettled(asked);
      const names = outcomes.map((one) => one.status === 'rejected' && (one.reason as Error).name);
      expect(names).toContain('CallerGone');
    }
  }
});

it('says whether the turn of a request is over', async () => {
  const turns = eventLoopTurns(workQueue(SETTINGS, virtualClock()), processLoop());
  const turn = await turns.request({ network: 'one', signal: null });
  await Promise.resolve();
  expect(turn.isOver()).toBe(false);
  await new Promise((resolve) => setImmediate(resolve));
  expect(turn.isOver()).toBe(true);
});

it('does not count as waiting in a flood that a network is held back for its own work', async () => {
  const clock = virtualClock();
  const loop = { ...processLoop(), now: clock.now, threadTime: clock.now, after: clock.after };
  const turns = eventLoopTurns(workQueue(SETTINGS, clock), loop);
  const other = () => turns.request({ network: 'other', signal: null });
  const ask = async () => {
    const caller = { network: 'busy', signal: null, waitsInFloodUntil: 850 };
    const { heldBackMs } = await turns.request(caller);
    clock.block(40);
    const until = await turns.inThread(caller, 200, async ({ waitsInFloodUntil, worked }) => {
      worked?.(200);
      return waitsInFloodUntil;
    });
    return { heldBackMs, until };
  };
  await other();
  expect(await ask()).toEqual({ heldBackMs: 0, until: 850 });
  await other();
  const again = ask();
  await clock.advance(2_000);
  const { heldBackMs, until } = await again;
  expect(heldBackMs).toBeGreaterThan(0);
  expect(until).toBeGreaterThan(850);
});

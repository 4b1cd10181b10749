import { EventEmitter } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../tests/fixtures/temporary-folder.ts';
import { virtualClock } from '../../tests/fixtures/virtual-clock.ts';
import { CallerGone } from './caller.ts';
import { type Thread, threadProxy, type WorkerProxy, workerProxy } from './worker-rpc.ts';

interface EchoApi {
  echo(text: string): [string, string];
  echoInTime(text: string): [string, string];
  slow(text: string): Promise<[string, string]>;
  stepForever(): void;
  block(): void;
  hold(until: SharedArrayBuffer): void;
  echoed(): string[];
  leave(): void;
  fail(): void;
}

const WORKER = `import { writeFileSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { serveWorker, throwIfCancelled } from '${new URL('./worker-rpc.ts', import.meta.url).href}';
const texts = [];
const echo = (text) => {
  texts.push(text);
  return ['given', text];
};
const api = {
  echo,
  echoed: () => texts,
  hold: (until) => void Atomics.wait(new Int32Array(until), 0, 0),
  echoInTime: echo,
  async slow(text) {
    await new Promise((done) => setTimeout(done, 50));
    return echo(text);
  },
  stepForever() {
    for (;;) throwIfCancelled();
  },
  block: () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200),
  leave: () => process.exit(3),
  fail() { throw new Error('no answer'); },
};
serveWorker(() => api, () => writeFileSync(workerData, 'closed'));
`;

const METHODS = {
  echo: {},
  echoInTime: { maxQueueMs: 100 },
  slow: {},
  stepForever: {},
  block: {},
  hold: {},
  echoed: {},
  leave: {},
  fail: {},
};

let folder: ReturnType<typeof temporaryFolder>;
let closedFile: string;
let worker: WorkerProxy<EchoApi>;

beforeEach(() => {
  folder = temporaryFolder();
  const file = join(folder.path, 'echo.ts');
  closedFile = join(folder.path, 'closed');
  writeFileSync(file, WORKER);
  worker = workerProxy<EchoApi>(pathToFileURL(file), closedFile, METHODS);
});

afterEach(async () => {
  await worker.terminate();
  folder.remove();
});

it('gives each caller its own result, in any order', async () => {
  const { api } = worker;
  const results = await Promise.all([api.slow('slow'), api.echo('one'), api.echo('two')]);
  expect(results).toEqual([
    ['given', 'slow'],
    ['given', 'one'],
    ['given', 'two'],
  ]);
});

it('rejects only the call that fails', async () => {
  const [failed, one] = await Promise.allSettled([worker.api.fail(), worker.api.echo('one')]);
  expect(failed).toMatchObject({ status: 'rejected', reason: { message: 'Error: no answer' } });
  expect(one).toMatchObject({ value: ['given', 'one'] });
});

it('rejects the pending calls of a worker that exits, and starts another for the next call', async () => {
  await expect(worker.api.leave()).rejects.toMatchObject({
    name: 'ThreadEnded',
    message: 'Worker echo stopped',
  });
  await expect(worker.api.echo('one')).resolves.toEqual(['given', 'one']);
});

it('rejects pending calls when it is terminated', async () => {
  const pending = worker.api.slow('slow');
  await Promise.all([expect(pending).rejects.toThrow('stopped'), worker.terminate()]);
});

it('starts another thread after each one that was ended, and none once it is terminated', async () => {
  for (const text of ['one', 'two', 'three']) {
    await expect(worker.api.echo(text)).resolves.toEqual(['given', text]);
    await worker.endThread();
  }
  await worker.terminate();
  await expect(worker.api.echo('four')).rejects.toThrow('Worker echo stopped');
});

it('lets the worker finish when it is closed', async () => {
  await worker.api.echo('one');
  await worker.close();
  expect(readFileSync(closedFile, 'utf8')).toBe('closed');
});

it('starts no worker to close it', async () => {
  await worker.close();
  expect(existsSync(closedFile)).toBe(false);
});

it('refuses a call with StoreUnavailable if it waited too long in the queue', async () => {
  const [blocked, late] = await Promise.allSettled([worker.api.block(), worker.api.echoInTime('late')]);
  expect(blocked).toMatchObject({ status: 'fulfilled' });
  expect(late).toMatchObject({ reason: { name: 'StoreUnavailable' } });
  await expect(worker.api.echoInTime('next')).resolves.toEqual(['given', 'next']);
});

describe('a worker with a queue', () => {
  let queued: WorkerProxy<EchoApi>;

  beforeEach(() => {
    queued = workerProxy<EchoApi>(pathToFileURL(join(folder.path, 'echo.ts')), closedFile, METHODS, {
      name: 'echo',
      concurrency: 1,
      maxWaiting: 2,
      maxWaitMs: 2_000,
      maxRunMs: 5_000,
      msPerUnit: 1,
    });
  });

  afterEach(() => queued.terminate());

  /** One that posts calls ahead. */
  const aheadOf = () =>
    workerProxy<EchoApi>(pathToFileURL(join(folder.path, 'echo.ts')), closedFile, METHODS, {
      name: 'echo',
      concurrency: 1,
      ahead: { pieces: 3, ms: 50 },
      maxWaiting: 2,
      maxWaitMs: 2_000,
      maxRunMs: 5_000,
      msPerUnit: 1,
    });

  const caller = (network: string, signal: AbortSignal | null = null) => ({ network, signal });

  it('withdraws the waiting call of a caller that hangs up', async () => {
    const hungUp = new AbortController();
    const first = queued.callsFor(caller('a'), 1).slow('first');
    const second = queued.callsFor(caller('a', hungUp.signal), 1).slow('second');
    expect(queued.queue?.status()).toMatchObject({ running: 1, waiting: 1 });
    hungUp.abort();
    await expect(second).rejects.toThrow(CallerGone);
    expect(queued.queue?.status()).toMatchObject({ running: 1, waiting: 0 });
    await expect(first).resolves.toEqual(['given', 'first']);
  });

  it('tells a caller how long a processor worked for it, without the time in which the thread waited', async () => {
    const told: number[] = [];
    const worked = (ms: number) => void told.push(ms);
    // It waits for 200 ms.
    await queued.callsFor({ ...caller('a'), worked }, 1).block();
    await queued.queue?.idle();
    expect(told).toHaveLength(1);
    expect(told[0]).toBeLessThan(150);
  });

  it('ends a running call between two steps when its caller hangs up', async () => {
    const hungUp = new AbortController();
    const long = queued.callsFor(caller('a', hungUp.signal), 1).stepForever();
    setTimeout(() => hungUp.abort(), 50);
    await expect(long).rejects.toThrow(CallerGone);
    await expect(queued.callsFor(caller('b'), 1).echo('next')).resolves.toEqual(['given', 'next']);
  });

  it('refuses what would wait too long or stand behind too many', async () => {
    const running = queued.callsFor(caller('a'), 1_000).slow('running');
    const waiting = queued.callsFor(caller('a'), 1_500).echo('waits');
    await expect(queued.callsFor(caller('a'), 1).echo('behind')).rejects.toMatchObject({
      name: 'Overloaded',
      retryAfter: 3,
    });
    await Promise.all([running, waiting]);
  });

  it('rejects a call that cannot be copied to the thread, and stays usable', async () => {
    const uncopyable = (() => 'text') as unknown as string;
    await expect(queued.api.echo(uncopyable)).rejects.toThrow('cannot be sent');
    await expect(queued.api.echo('one')).resolves.toEqual(['given', 'one']);
    await queued.close();
  });

  it('withdraws calls that it has posted ahead, each by itself, and never begins them', async () => {
    const ahead = aheadOf();
    const running = ahead.callsFor(caller('a'), 1).block();
    const hungUp = ['b', 'c'].map((network) => {
      const controller = new AbortController();
      const call = ahead.callsFor(caller(network, controller.signal), 1).stepForever();
      return { controller, call };
    });
    const last = ahead.callsFor(caller('d'), 1).echo('last');
    expect(ahead.queue?.status()).toMatchObject({ running: 4, waiting: 0 });
    for (const { controller, call } of hungUp) {
      controller.abort();
      await expect(call).rejects.toThrow(CallerGone);
    }
    await expect(Promise.all([running, last])).resolves.toMatchObject([undefined, ['given', 'last']]);
    await ahead.close();
  });

  it('does one posted call after the other, so that each can be withdrawn', async () => {
    const ahead = aheadOf();
    const done: string[] = [];
    const calls = [ahead.callsFor(caller('a'), 1).slow('slow'), ahead.callsFor(caller('b'), 1).echo('quick')];
    await Promise.all(calls.map((call) => call.then(([, text]) => done.push(text))));
    expect(done).toEqual(['slow', 'quick']);
    await ahead.close();
  });

  it('sends what it has posted ahead to another worker if theirs exits', async () => {
    const ahead = aheadOf();
    const calls = [
      ahead.callsFor(caller('a'), 1).leave(),
      ahead.callsFor(caller('b'), 1).echo('b'),
      ahead.callsFor(caller('c'), 1).echo('c'),
    ];
    expect(ahead.queue?.status()).toMatchObject({ running: 3 });
    const [left, ...others] = await Promise.allSettled(calls);
    expect(left).toMatchObject({ status: 'rejected' });
    expect(others).toMatchObject([{ value: ['given', 'b'] }, { value: ['given', 'c'] }]);
    await ahead.close();
  });

  it('sends waiting calls to another worker if theirs exits', async () => {
    const [left, next] = await Promise.allSettled([queued.api.leave(), queued.api.echo('next')]);
    expect(left).toMatchObject({ status: 'rejected' });
    expect(next).toMatchObject({ value: ['given', 'next'] });
  });
});

it('expects calls that are sent side by side to wait for each other in the thread', async () => {
  const sideBySide = workerProxy<EchoApi>(
    pathToFileURL(join(folder.path, 'echo.ts')),
    closedFile,
    { ...METHODS, block: { runsToEnd: true } },
    { name: 'echo', concurrency: 3, maxWaiting: 20, maxWaitMs: 900, maxRunMs: null, msPerUnit: 50 },
  );
  const blockTimes = (times: number) =>
    Promise.allSettled(Array.from({ length: times }, () => sideBySide.api.block()));
  await blockTimes(6);
  await blockTimes(12);
  expect(sideBySide.queue?.status().refused.slow).toBeGreaterThan(0);
  await sideBySide.terminate();
});

describe('a worker whose calls are given up', () => {
  const IN_TIME = { runsToEnd: true, isGivenUpUnbegun: true };
  const SETTINGS = {
    name: 'echo',
    concurrency: 10,
    maxWaiting: 20,
    maxWaitMs: 2_000,
    maxRunMs: null,
    msPerUnit: 1,
  };
  const impatient = (waitsUntil?: number) => ({ network: 'a', signal: null, waitsUntil });
  let held: WorkerProxy<EchoApi>;
  let until: SharedArrayBuffer;

  beforeEach(() => {
    until = new SharedArrayBuffer(4);
    const methods = Object.fromEntries(Object.keys(METHODS).map((method) => [method, IN_TIME]));
    const file = pathToFileURL(join(folder.path, 'echo.ts'));
    held = workerProxy<EchoApi>(file, closedFile, methods as Record<keyof EchoApi, object>, SETTINGS);
  });
  afterEach(() => held.terminate());

  function release(): void {
    Atomics.store(new Int32Array(until), 0, 1);
    Atomics.notify(new Int32Array(until), 0);
  }

  it('refuses those that it has not begun in time, and never begins them', async () => {
    await held.api.echo('first');
    const holding = held.callsFor(impatient(), 1).hold(until);
    const late = held.callsFor(impatient(performance.now()), 1).echo('late');
    const patient = held.callsFor({ ...impatient(performance.now()), isPatient: true }, 1).echo('patient');
    await expect(late).rejects.toMatchObject({ name: 'StoreUnavailable' });
    // Its place is taken until the thread has passed over it.
    expect(held.queue?.status().running).toBe(3);
    release();
    await expect(holding).resolves.toBeUndefined();
    await expect(patient).resolves.toEqual(['given', 'patient']);
    expect(await held.api.echoed()).toEqual(['first', 'patient']);
    await held.queue?.idle();
  });

  it('refuses none that it has begun', async () => {
    await held.api.echo('first');
    const both = held.callsFor(impatient(performance.now() + 1_500), 1);
    const holding = both.hold(until);
    // It has waited as long as the one before it, and is refused behind it.
    await expect(both.echo('late')).rejects.toMatchObject({ name: 'StoreUnavailable' });
    release();
    await expect(holding).resolves.toBeUndefined();
  });

  it('lets those wait that come while it starts', async () => {
    const early = held.callsFor(impatient(performance.now()), 1).echo('early');
    await expect(early).resolves.toEqual(['given', 'early']);
  });
});

it('gives calls up when they have waited in the queue and in the thread for as long as the queue lets them', async () => {
  const clock = virtualClock();
  const thread = new EventEmitter();
  const posted: { id: number }[] = [];
  const deaf = Object.assign(thread, {
    postMessage: (call: { id: number }) => posted.push(call),
    ref() {},
    unref() {},
    async terminate() {},
  }) as unknown as Thread;
  const settings = {
    name: 'deaf',
    concurrency: 1,
    maxWaiting: 5,
    maxWaitMs: 2_000,
    maxRunMs: null,
    msPerUnit: 1,
  };
  const methods = { work: { runsToEnd: true, isGivenUpUnbegun: true } };
  const { callsFor } = threadProxy<{ work(): string }>('deaf', () => deaf, methods, settings, clock);
  const work = () => callsFor({ network: 'a', signal: null }, 1).work();
  const reply = () =>
    thread.emit('message', { id: posted.at(-1)?.id, ms: 1, processorMs: 1, result: 'done' });
  const first = work();
  const second = work();
  let outcome: unknown = null;
  second.catch((error: unknown) => {
    outcome = error;
  });
  await clock.advance(1_500);
  reply();
  await expect(first).resolves.toBe('done');
  expect(posted).toHaveLength(2);
  await clock.advance(499);
  expect(outcome).toBeNull();
  await clock.advance(1);
  expect(outcome).toMatchObject({ name: 'StoreUnavailable' });
});

it('ends a thread that does not give up the call of a caller who is gone, unless that call runs to its end', async () => {
  const clock = virtualClock();
  const stuck = silentThread();
  const settings = {
    name: 'stuck',
    concurrency: 2,
    maxWaiting: 2,
    maxWaitMs: 2_000,
    maxRunMs: null,
    msPerUnit: 1,
  };
  interface StuckApi {
    left(): void;
    given(): void;
  }
  const { callsFor } = threadProxy<StuckApi>(
    'stuck',
    () => stuck,
    { left: { runsToEnd: true }, given: {} },
    settings,
    clock,
  );
  for (const [method, endings] of [
    ['left', 0],
    ['given', 1],
  ] as const) {
    const hungUp = new AbortController();
    const call = callsFor({ network: method, signal: hungUp.signal }, 1)[method]();
    await new Promise(setImmediate);
    hungUp.abort();
    await expect(call).rejects.toThrow(CallerGone);
    await clock.advance(10_000);
    expect(stuck.ended).toBe(endings);
  }
});

it('rejects a call whose arguments cannot be cloned, and still answers and closes', async () => {
  const { api } = worker;
  const uncloneable = (() => {}) as unknown as string;
  await expect(api.echo(uncloneable)).rejects.toThrow('cannot be sent');
  let nested: unknown = 0;
  for (let level = 0; level < 20_000; level += 1) nested = [nested];
  await expect(api.echo(nested as string)).rejects.toThrow('cannot be sent');
  expect(await api.echo('b')).toEqual(['given', 'b']);
  await worker.close();
  expect(readFileSync(closedFile, 'utf8')).toBe('closed');
});

it('does not end a thread for a call that was withdrawn before its turn', async () => {
  const clock = virtualClock();
  const busy = silentThread();
  const settings = {
    name: 'busy',
    concurrency: 1,
    ahead: { pieces: 1, ms: 50 },
    maxWaiting: 2,
    maxWaitMs: 2_000,
    maxRunMs: 20_000,
    msPerUnit: 1,
  };
  const { callsFor } = threadProxy<{ work(): void }>('busy', () => busy, { work: {} }, settings, clock);
  const long = callsFor({ network: 'a', signal: null }, 1).work();
  const hungUp = new AbortController();
  const behind = callsFor({ network: 'b', signal: hungUp.signal }, 1).work();
  await new Promise(setImmediate);
  hungUp.abort();
  await expect(behind).rejects.toThrow(CallerGone);
  await clock.advance(19_000);
  expect(busy.ended).toBe(0);
  const stopped = expect(long).rejects.toThrow();
  await clock.advance(10_000);
  await stopped;
  expect(busy.ended).toBeGreaterThan(0);
});

it('rejects what was posted if no other thread can be started, and tries again at the next call', async () => {
  const begun: EventEmitter[] = [];
  const start = () => {
    if (begun.length === 1) {
      begun.push(new EventEmitter());
      throw new Error('EAGAIN');
    }
    const thread = new EventEmitter();
    begun.push(thread);
    const postMessage = ({ id }: { id: number }) =>
      begun.length > 2 && queueMicrotask(() => thread.emit('message', { id, ms: 1, result: 'done' }));
    return Object.assign(thread, {
      postMessage,
      ref() {},
      unref() {},
      async terminate() {},
    }) as unknown as Thread;
  };
  const settings = {
    name: 'gone',
    concurrency: 1,
    ahead: { pieces: 3, ms: 50 },
    maxWaiting: 2,
    maxWaitMs: 2_000,
    maxRunMs: null,
    msPerUnit: 1,
  };
  const { callsFor } = threadProxy<{ work(): string }>('gone', start, { work: {} }, settings, virtualClock());
  const work = (network: string) => callsFor({ network, signal: null }, 1).work();
  const calls = Promise.allSettled(['a', 'b', 'c'].map(work));
  begun[0]?.emit('exit', 1);
  expect(await calls).toMatchObject(
    ['a', 'b', 'c'].map(() => ({ status: 'rejected', reason: { name: 'ThreadEnded' } })),
  );
  await expect(work('d')).resolves.toBe('done');
});

/** A proxy of threads that do what a test says, in the order in which they were started. `posted`: the calls that they got. */
function threadsByHand(post: (text: string) => void = () => {}) {
  const threads: (EventEmitter & { posted: { id: number; args: [string] }[] })[] = [];
  const start = () => {
    const posted: { id: number; args: [string] }[] = [];
    const thread = Object.assign(new EventEmitter(), {
      posted,
      postMessage(call: { id: number; args: [string] }) {
        post(call.args[0]);
        posted.push(call);
      },
      ref() {},
      unref() {},
      async terminate() {},
    });
    threads.push(thread);
    return thread as unknown as Thread;
  };
  const settings = {
    name: 'by hand',
    concurrency: 1,
    ahead: { pieces: 3, ms: 50 },
    maxWaiting: 9,
    maxWaitMs: 2_000,
    maxRunMs: null,
    msPerUnit: 1,
  };
  const { callsFor } = threadProxy<{ work(text: string): string }>(
    'by hand',
    start,
    { work: {} },
    settings,
    virtualClock(),
  );
  const work = (text: string) => callsFor({ network: text, signal: null }, 1).work(text);
  return { threads, work };
}

it('takes the error and the exit of one thread for one end, and leaves the next thread its calls', async () => {
  const { threads, work } = threadsByHand();
  const begun = expect(work('begun')).rejects.toMatchObject({ name: 'ThreadEnded' });
  const behind = work('behind');
  await new Promise(setImmediate);
  threads[0]?.emit('error', new Error('out of memory'));
  threads[0]?.emit('exit', 1);
  await begun;
  expect(threads).toHaveLength(2);
  const posted = threads[1]?.posted ?? [];
  expect(posted.map(({ args }) => args)).toEqual([['behind']]);
  threads[1]?.emit('message', { id: posted[0]?.id, ms: 1, processorMs: 1, result: 'done' });
  await expect(behind).resolves.toBe('done');
});

it('forgets a call that cannot be posted, and sends it to no other thread', async () => {
  const { threads, work } = threadsByHand((text) => {
    if (text === 'uncopyable') throw new Error('cannot be cloned');
  });
  await expect(work('uncopyable')).rejects.toThrow('cannot be sent');
  const begun = expect(work('begun')).rejects.toMatchObject({ name: 'ThreadEnded' });
  await new Promise(setImmediate);
  // The only call that it has was begun, so there is nothing for another thread.
  threads[0]?.emit('exit', 1);
  expect(threads).toHaveLength(1);
  await begun;
});

/** A thread that answers nothing, and how often it was ended. */
function silentThread() {
  const thread = {
    ended: 0,
    postMessage() {},
    on() {},
    ref() {},
    unref() {},
    async terminate() {
      thread.ended += 1;
    },
  };
  return thread satisfies Thread;
}

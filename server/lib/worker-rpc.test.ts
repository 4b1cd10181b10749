import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../../tests/fixtures/temporary-folder.ts';
import { INTERNAL_CALLER } from './caller.ts';
import { deadlineIn } from './deadline.ts';
import { type WorkerPool, type WorkerPoolOptions, workerPool } from './worker-rpc.ts';

interface EchoApi {
  echo(text: string): [string, string];
  echoed(): string[];
  slow(text: string): Promise<[string, string]>;
  thread(): number;
  stepForever(): void;
  hold(until: SharedArrayBuffer): void;
  leave(): void;
  fail(): void;
}

const WORKER = `import { writeFileSync } from 'node:fs';
import { threadId, workerData } from 'node:worker_threads';
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
  async slow(text) {
    await new Promise((done) => setTimeout(done, 50));
    return echo(text);
  },
  async thread() {
    await new Promise((done) => setTimeout(done, 50));
    return threadId;
  },
  stepForever() {
    for (;;) throwIfCancelled();
  },
  leave: () => process.exit(3),
  fail() { throw new Error('no answer'); },
};
serveWorker(() => api, () => writeFileSync(workerData, 'closed'));
`;

const METHODS = ['echo', 'echoed', 'slow', 'thread', 'stepForever', 'hold', 'leave', 'fail'] as const;

const QUEUE = { name: 'echo', concurrency: 2, maxWaiting: 10, maxWaitingOfClient: 10, maxWaitMs: 5_000 };

let folder: ReturnType<typeof temporaryFolder>;
let closedFile: string;
let pools: WorkerPool<EchoApi>[];

beforeEach(() => {
  folder = temporaryFolder();
  closedFile = join(folder.path, 'closed');
  writeFileSync(join(folder.path, 'echo.ts'), WORKER);
  pools = [];
});

afterEach(async () => {
  for (const pool of pools) await pool.terminate();
  folder.remove();
});

function open(options: Omit<WorkerPoolOptions<EchoApi>, 'methods'> = {}): WorkerPool<EchoApi> {
  const file = pathToFileURL(join(folder.path, 'echo.ts'));
  const pool = workerPool<EchoApi>(file, closedFile, { methods: METHODS, ...options });
  pools.push(pool);
  return pool;
}

it("returns each call's own result, in any order", async () => {
  const { api } = open();
  expect(await Promise.all([api.slow('slow'), api.echo('one'), api.echo('two')])).toEqual([
    ['given', 'slow'],
    ['given', 'one'],
    ['given', 'two'],
  ]);
});

it('rejects only the call that fails', async () => {
  const { api } = open();
  const [failed, one] = await Promise.allSettled([api.fail(), api.echo('one')]);
  expect(failed).toMatchObject({ status: 'rejected', reason: { message: 'Error: no answer' } });
  expect(one).toMatchObject({ value: ['given', 'one'] });
});

it('rejects a call whose arguments cannot be sent', async () => {
  const { api } = open();
  await expect(api.echo((() => {}) as unknown as string)).rejects.toThrow('could not be sent');
  await expect(api.echo('one')).resolves.toEqual(['given', 'one']);
});

it('rejects the calls of a thread that has ended, and starts another for the next call', async () => {
  const { api, endThreads } = open();
  await expect(api.leave()).rejects.toMatchObject({ name: 'ThreadEnded', message: 'Worker echo stopped' });
  await expect(api.echo('one')).resolves.toEqual(['given', 'one']);
  await endThreads();
  await expect(api.echo('two')).resolves.toEqual(['given', 'two']);
});

it('rejects the calls of a thread that cannot start', async () => {
  const pool = workerPool<EchoApi>(pathToFileURL(join(folder.path, 'missing.ts')), null, {
    methods: METHODS,
  });
  await expect(pool.api.echo('one')).rejects.toMatchObject({ name: 'ThreadEnded' });
  await pool.terminate();
});

it('rejects pending and later calls when it is terminated', async () => {
  const { api, terminate } = open();
  const pending = api.slow('slow');
  await Promise.all([expect(pending).rejects.toThrow('stopped'), terminate()]);
  await expect(api.echo('one')).rejects.toThrow('Worker echo stopped');
});

it('lets its threads finish when it is closed, and starts no others', async () => {
  const unused = open();
  await unused.close();
  expect(existsSync(closedFile)).toBe(false);
  const used = open();
  await used.api.echo('one');
  await used.close();
  expect(readFileSync(closedFile, 'utf8')).toBe('closed');
});

it('spreads calls over its threads', async () => {
  const { callsFor } = open({ threads: 2, queue: QUEUE });
  const thread = () => callsFor(INTERNAL_CALLER).thread();
  expect(new Set(await Promise.all([thread(), thread(), thread(), thread()])).size).toBe(2);
});

it('aborts a running call when its caller disconnects or its deadline passes', async () => {
  const { callsFor, queue } = open({ queue: { ...QUEUE, concurrency: 1 } });
  const gone = new AbortController();
  const forever = callsFor({ ...INTERNAL_CALLER, signal: gone.signal }).stepForever();
  setTimeout(() => gone.abort(), 20);
  await expect(forever).rejects.toMatchObject({ name: 'CallerGone' });
  const late = callsFor({ ...INTERNAL_CALLER, deadline: deadlineIn(20) }).stepForever();
  await expect(late).rejects.toMatchObject({ name: 'Overloaded' });
  await expect(callsFor(INTERNAL_CALLER).echo('next')).resolves.toEqual(['given', 'next']);
  expect(queue?.status()).toMatchObject({ running: 0, waiting: 0 });
});

it('never runs a call whose deadline passed while its thread was blocked, but lets a running one finish', async () => {
  const { callsFor, api } = open({ queue: QUEUE, runsToEnd: true });
  const until = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  await api.echo('first');
  const soon = () => callsFor({ ...INTERNAL_CALLER, deadline: deadlineIn(100) });
  const holding = soon().hold(until);
  await expect(soon().echo('late')).rejects.toMatchObject({ name: 'Overloaded' });
  Atomics.store(new Int32Array(until), 0, 1);
  Atomics.notify(new Int32Array(until), 0);
  await expect(holding).resolves.toBeUndefined();
  expect(await api.echoed()).toEqual(['first']);
});

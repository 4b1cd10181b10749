import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../../tests/fixtures/temporary-folder.ts';
import { INTERNAL_CALLER } from './caller.ts';
import { deadlineIn } from './deadline.ts';
import { type WorkerPart, type WorkerPartOptions, type WorkerThread, workerThread } from './worker-rpc.ts';

interface EchoApi {
  echo(text: string): [string, string];
  echoed(): string[];
  slow(text: string): Promise<[string, string]>;
  stepForever(): void;
  hold(until: SharedArrayBuffer): void;
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
  async slow(text) {
    await new Promise((done) => setTimeout(done, 50));
    return echo(text);
  },
  stepForever() {
    for (;;) throwIfCancelled();
  },
  leave: () => process.exit(3),
  fail() { throw new Error('no answer'); },
};
serveWorker({ echo: { open: async () => api, close: () => writeFileSync(workerData, 'closed') } });
`;

const METHODS = ['echo', 'echoed', 'slow', 'stepForever', 'hold', 'leave', 'fail'] as const;

const QUEUE = { name: 'echo', concurrency: 2, maxWaiting: 10, maxWaitingOfClient: 10, maxWaitMs: 5_000 };

let folder: ReturnType<typeof temporaryFolder>;
let closedFile: string;
let threads: WorkerThread[];

beforeEach(() => {
  folder = temporaryFolder();
  closedFile = join(folder.path, 'closed');
  writeFileSync(join(folder.path, 'echo.ts'), WORKER);
  threads = [];
});

afterEach(async () => {
  for (const thread of threads) await thread.terminate();
  folder.remove();
});

type Open = WorkerPart<EchoApi> & Pick<WorkerThread, 'terminate' | 'end'>;

function open(options: Omit<WorkerPartOptions<EchoApi>, 'methods'> = {}): Open {
  const thread = workerThread(pathToFileURL(join(folder.path, 'echo.ts')), closedFile);
  threads.push(thread);
  return { ...thread.part<EchoApi>('echo', { methods: METHODS, ...options }), ...thread };
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
  const { api, end } = open();
  await expect(api.leave()).rejects.toMatchObject({ name: 'ThreadEnded', message: 'Worker echo stopped' });
  await expect(api.echo('one')).resolves.toEqual(['given', 'one']);
  await end();
  await expect(api.echo('two')).resolves.toEqual(['given', 'two']);
});

it('rejects the calls of a thread that cannot start', async () => {
  const thread = workerThread(pathToFileURL(join(folder.path, 'missing.ts')), null);
  threads.push(thread);
  const { api } = thread.part<EchoApi>('echo', { methods: METHODS });
  await expect(api.echo('one')).rejects.toMatchObject({ name: 'ThreadEnded' });
});

it('rejects pending and later calls when it is terminated', async () => {
  const { api, terminate } = open();
  const pending = api.slow('slow');
  await Promise.all([expect(pending).rejects.toThrow('stopped'), terminate()]);
  await expect(api.echo('one')).rejects.toThrow('Worker echo stopped');
});

it('closes a part that was used, and starts no thread to close one', async () => {
  const unused = open();
  await unused.close();
  expect(existsSync(closedFile)).toBe(false);
  const used = open();
  await used.api.echo('one');
  await used.close();
  expect(readFileSync(closedFile, 'utf8')).toBe('closed');
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

it('never runs a call whose deadline passed while its thread was blocked, but lets one that has begun run to its end', async () => {
  const { callsFor, api } = open({ queue: QUEUE, runsToEnd: true });
  const until = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  await api.echo('first');
  const soon = () => callsFor({ ...INTERNAL_CALLER, deadline: deadlineIn(100) });
  const holding = soon().hold(until);
  const late = soon().echo('late');
  await expect(holding).rejects.toMatchObject({ name: 'Overloaded' });
  await expect(late).rejects.toMatchObject({ name: 'Overloaded' });
  Atomics.store(new Int32Array(until), 0, 1);
  Atomics.notify(new Int32Array(until), 0);
  expect(await api.echoed()).toEqual(['first']);
});

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../tests/fixtures/temporary-folder.ts';
import { endsInTime } from './end-in-time.ts';

const END_IN_TIME = join(import.meta.dirname, 'end-in-time.ts');

describe('Work with a time limit', () => {
  it('succeeds, fails or times out', async () => {
    const never = new Promise(() => {});
    expect(await endsInTime(Promise.resolve('done'), 60_000)).toBe(true);
    await expect(endsInTime(Promise.reject(new Error('failed')), 60_000)).rejects.toThrow('failed');
    expect(await endsInTime(never, 0)).toBe(false);
  });
});

describe('The end of a process', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let holder: DatabaseSync;
  let started: ChildProcess | null = null;
  beforeEach(() => {
    folder = temporaryFolder();
    holder = new DatabaseSync(join(folder.path, 'store'));
  });
  afterEach(() => {
    started?.kill('SIGKILL');
    holder.close();
    folder.remove();
  });

  /** Starts a process. If `hangs`, one of its threads waits for a lock that is never released. */
  async function processWithThread(hangs: boolean) {
    const thread = `
      import { DatabaseSync } from 'node:sqlite';
      import { parentPort, workerData } from 'node:worker_threads';
      const store = new DatabaseSync(workerData, { timeout: 2 ** 31 - 1 });
      parentPort.postMessage('begins');
      store.exec('begin immediate');`;
    const main = `
      import { Worker } from 'node:worker_threads';
      import { endProcess } from ${JSON.stringify(END_IN_TIME)};
      process.on('SIGTERM', (signal) => endProcess(signal, ${hangs}));
      const thread = new Worker(${JSON.stringify(thread)}, { eval: true, workerData: process.argv[1] });
      thread.on('message', () => console.log('begins'));`;
    const store = join(folder.path, 'store');
    const child = spawn(process.execPath, ['--input-type=module', '--eval', main, store], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    started = child;
    const ended = once(child, 'exit');
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    await ended;
    return [child.exitCode, child.signalCode];
  }

  it('does not wait for a thread that hangs in a lock', async () => {
    holder.exec('begin immediate');
    expect(await processWithThread(true)).toEqual([null, 'SIGTERM']);
  });

  it('has the code 0 if nothing hangs', async () => {
    expect(await processWithThread(false)).toEqual([0, null]);
  });
});

import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../tests/fixtures/temporary-folder.ts';
import { virtualClock } from '../../tests/fixtures/virtual-clock.ts';
import { openDatabase } from '../storage/open/database.ts';
import { embeddedStore } from '../storage/store-address.ts';
import { type Loader, startSampleInventory } from './start-sample-inventory.ts';

const SOON = { timeout: 20_000 };

describe('The process that loads the sample', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());

  function start() {
    const onProgress = vi.fn();
    const store = embeddedStore(folder.path);
    return {
      onProgress,
      ...startSampleInventory({ store, seed: 1, onProgress, log() {} }),
    };
  }

  it('reports its progress, and stops on request', async () => {
    await (await openDatabase(embeddedStore(folder.path))).close();
    const { onProgress, complete, stop } = start();
    await vi.waitFor(() => expect(onProgress).toHaveBeenCalled(), SOON);
    expect(onProgress).toHaveBeenCalledWith({
      day: expect.any(Number),
      days: expect.any(Number),
      offers: expect.any(Number),
    });
    await stop();
    await expect(complete).resolves.toBeUndefined();
  });

  it('stops if the stop message comes immediately', async () => {
    await (await openDatabase(embeddedStore(folder.path))).close();
    const { onProgress, complete, stop } = start();
    await stop();
    await expect(complete).resolves.toBeUndefined();
    expect(onProgress.mock.calls.length).toBeLessThan(20);
  });

  it('reports why it failed', async () => {
    writeFileSync(join(folder.path, 'inventory.sqlite'), 'no database '.repeat(1_000));
    const { complete, moved, stop } = start();
    moved.catch(() => {});
    await expect(complete).rejects.toThrow('file is not a database');
    await stop();
  });

  it('ends if its server is killed', async () => {
    const server = spawn(process.execPath, ['server/main.ts'], {
      cwd: join(import.meta.dirname, '../..'),
      env: { ...process.env, DATA_DIR: folder.path, PORT: '0', SAMPLE_INVENTORY: 'on' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [server.stdout, server.stderr])
      stream.on('data', (text) => (output += String(text)));
    const closed = once(server, 'close');
    await vi.waitFor(() => expect(output).toContain('Sample inventory: '), SOON);
    server.kill('SIGKILL');
    // The pipes close once the server and its loading process, which both write to them, have ended.
    await closed;
    expect(server.signalCode).toBe('SIGKILL');
  }, 30_000);
});

describe('Loads of the sample', () => {
  const HOUR_MS = 3_600_000;

  class LoaderDouble extends EventEmitter {
    connected = true;
    readonly sent: unknown[] = [];
    send = (message: unknown) => this.sent.push(message) > 0;
  }

  function start() {
    const clock = virtualClock();
    const loaders: LoaderDouble[] = [];
    const lines: string[] = [];
    const options = { store: embeddedStore('nowhere'), seed: 1, onProgress() {} };
    const sample = startSampleInventory(
      { ...options, log: (line) => lines.push(line) },
      () => {
        const loader = new LoaderDouble();
        loaders.push(loader);
        return loader as unknown as Loader;
      },
      clock,
    );
    sample.moved.catch(() => {});
    return { clock, loaders, lines, sample };
  }

  it('run one after the other, so that a stop ends them all', async () => {
    const { clock, loaders, lines, sample } = start();
    await clock.advance(12 * HOUR_MS);
    expect(loaders).toHaveLength(1);
    loaders[0]?.emit('exit', 0, null);
    await sample.moved;
    await clock.advance(12 * HOUR_MS);
    expect(loaders).toHaveLength(2);
    loaders[1]?.emit('exit', 1, null);
    await vi.waitFor(() => expect(lines).toHaveLength(1), { timeout: 20_000 });
    await clock.advance(3 * HOUR_MS);
    expect(loaders).toHaveLength(3);
    const stopped = sample.stop();
    expect(loaders[2]?.sent.at(-1)).toBe('stop');
    loaders[2]?.emit('exit', 0, null);
    await stopped;
    await clock.advance(12 * HOUR_MS);
    expect(loaders).toHaveLength(3);
  });

  it('fail once if the process cannot be started', async () => {
    const { loaders, sample } = start();
    loaders[0]?.emit('error', new Error('spawn EAGAIN'));
    loaders[0]?.emit('error', new Error('write EPIPE'));
    await expect(sample.complete).rejects.toThrow('spawn EAGAIN');
  });

  it('fail without a channel to the process', async () => {
    const loader = Object.assign(new EventEmitter(), { connected: false }) as unknown as Loader;
    const options = { store: embeddedStore('nowhere'), seed: 1, onProgress() {}, log() {} };
    const { complete, moved } = startSampleInventory(options, () => loader, virtualClock());
    moved.catch(() => {});
    (loader as unknown as EventEmitter).emit('error', new Error('spawn EMFILE'));
    await expect(complete).rejects.toThrow('spawn EMFILE');
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../tests/fixtures/temporary-folder.ts';
import { openDatabase } from '../storage/open/database.ts';
import { embeddedStore } from '../storage/store-address.ts';
import { startSampleInventory } from './start-sample-inventory.ts';

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

  it('reports its progress, and stops when it is told to', async () => {
    openDatabase(embeddedStore(folder.path)).close();
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

  it('stops when it is told to at once', async () => {
    openDatabase(embeddedStore(folder.path)).close();
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

  it('ends with a server that is killed', async () => {
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
    // Both write into the same pipes, which close with the last of them.
    await closed;
    expect(server.signalCode).toBe('SIGKILL');
  }, 30_000);
});

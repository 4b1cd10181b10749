import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../tests/fixtures/temporary-folder.ts';
import { openInventoryWriter } from './ingest/open-inventory-writer.ts';
import { embeddedStore } from './storage/store-address.ts';

const MAIN = join(import.meta.dirname, 'main.ts');

describe('server/main.ts', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  const started: ChildProcess[] = [];
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => {
    for (const child of started.splice(0)) child.kill('SIGKILL');
    folder.remove();
  });

  function start(settings: Record<string, string>) {
    const child = spawn(process.execPath, [MAIN], {
      env: {
        PATH: process.env.PATH,
        SAMPLE_INVENTORY: 'off',
        PORT: '0',
        DATA_DIR: folder.path,
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    started.push(child);
    return child;
  }

  async function refusalOf(settings: Record<string, string>) {
    const child = start(settings);
    const [stderr, stdout] = await Promise.all([
      text(child.stderr),
      text(child.stdout),
      once(child, 'close'),
    ]);
    return { code: child.exitCode, stderr, stdout };
  }

  it("refuses to start with the sample on a store with providers' feeds, or with an invalid providers.json", async () => {
    const writer = await openInventoryWriter(embeddedStore(folder.path));
    await writer.writeNote('feed.latest', '2026-11-21T09:00:00.000Z');
    await writer.close();
    const mixed = await refusalOf({ SAMPLE_INVENTORY: 'on' });
    expect(mixed).toMatchObject({ code: 1, stderr: expect.stringContaining('Set SAMPLE_INVENTORY=off.') });
    writeFileSync(join(folder.path, 'providers.json'), '{"providers":[{"code":"a"}]}');
    const unread = await refusalOf({});
    expect(unread).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('providers.0.code must be 2 to 10 capital letters or digits.'),
    });
  });

  it('prints its address, responds to requests, and exits with 0 on SIGTERM', async () => {
    const child = start({});
    let output = '';
    const warned = text(child.stderr);
    const address = await new Promise<string>((resolve) => {
      child.stdout.on('data', (chunk: Buffer) => {
        output += String(chunk);
        const said = /^Skylark is at (http:\S+)$/m.exec(output)?.[1];
        if (said !== undefined) resolve(said);
      });
    });
    const health = await fetch(`${address}/healthz?secret=1`);
    expect(await health.json()).toMatchObject({ status: 'ok', inventory: { loading: false } });
    const list = await fetch(`${address}/data/locations.csv`, { headers: { 'accept-encoding': 'br' } });
    expect([list.headers.get('content-encoding'), await list.text()]).toEqual(['br', expect.any(String)]);
    child.kill('SIGTERM');
    await once(child, 'close');
    expect(child.exitCode).toBe(0);
    const lines = output.split('\n').filter((line) => line.startsWith('{'));
    const request = lines
      .map((line): unknown => JSON.parse(line))
      .find((line) => JSON.stringify(line).includes('healthz'));
    expect(request).toMatchObject({
      method: 'GET',
      path: '/healthz',
      status: 200,
      reqId: expect.any(String),
    });
    expect(output).not.toContain('secret');
    // Node warns of a leak if there are more than ten listeners.
    expect(await warned).not.toContain('MaxListenersExceededWarning');
  });

  it('stops properly on a SIGTERM that comes as soon as it listens', async () => {
    const child = start({});
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      const isFirst = !output.includes('Listening at');
      output += String(chunk);
      if (isFirst && output.includes('Listening at')) child.kill('SIGTERM');
    });
    await once(child, 'close');
    expect([child.exitCode, child.signalCode]).toEqual([0, null]);
    expect(output).toContain('Stopping on SIGTERM');
  });

  it('rejects an invalid setting by name', async () => {
    expect(await refusalOf({ PORT: 'http' })).toEqual({
      code: 1,
      stdout: '',
      stderr: 'PORT must be a whole number from 0 to 65535 (got "http").\n',
    });
  });

  it('rejects a port that is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const port = String((other.address() as { port: number }).port);
    const { code, stderr, stdout } = await refusalOf({ PORT: port });
    other.close();
    expect(code).toBe(1);
    expect(stderr).toContain(`(got "${port}", which another program uses).`);
    expect(stdout).not.toContain('Skylark is at');
  });

  it('rejects a data folder that is a file', async () => {
    const path = join(folder.path, 'file');
    writeFileSync(path, '');
    const { code, stderr } = await refusalOf({ DATA_DIR: path });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^DATA_DIR must be a writable folder \(got ".+\/file"\): [^\n]+\.\n$/);
  });
});

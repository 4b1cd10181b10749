import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../tests/fixtures/temporary-folder.ts';

const MAIN = join(import.meta.dirname, 'main.ts');

/** A device that is always full. */
const FULL = '/dev/full';

/** Enough requests to fill the pipe and this process's read buffer. */
const REQUESTS = 4_000;
const AT_ONCE = 50;

let folder: ReturnType<typeof temporaryFolder>;
let child: ChildProcess | null = null;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => {
  child?.kill('SIGKILL');
  folder.remove();
});

function start(port: number, stdout: 'pipe' | number): ChildProcess {
  child = spawn(process.execPath, [MAIN], {
    env: {
      PATH: process.env.PATH,
      SAMPLE_INVENTORY: 'off',
      PORT: String(port),
      DATA_DIR: folder.path,
    },
    stdio: ['ignore', stdout, 'pipe'],
  });
  return child;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

async function isHealthy(address: string): Promise<boolean> {
  return fetch(`${address}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function ask(address: string, path: string, requests: number): Promise<number> {
  let answered = 0;
  for (let count = 0; count < requests; count += AT_ONCE) {
    const some = Array.from({ length: AT_ONCE }, () => fetch(address + path).then((answer) => answer.text()));
    answered += (await Promise.all(some)).length;
  }
  return answered;
}

it.runIf(existsSync(FULL))('starts, responds and stops while the disk of its log is full', async () => {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const server = start(port, openSync(FULL, 'w'));
  const ended = once(server, 'exit');
  const complaints = server.stderr === null ? '' : text(server.stderr);
  await expect.poll(() => isHealthy(address), { timeout: 20_000 }).toBe(true);
  // Up to a megabyte of lines waits. The rest is dropped.
  const path = `/${'x'.repeat(199)}`;
  expect(await ask(address, path, REQUESTS)).toBe(REQUESTS);

  server.kill('SIGTERM');
  await ended;
  expect([server.exitCode, server.signalCode]).toEqual([0, null]);
  expect(await complaints).not.toContain('ENOSPC');
});

it('responds to requests and stops while its log is not read', async () => {
  const server = start(0, 'pipe');
  const ended = once(server, 'exit');
  const { stdout } = server;
  let output = '';
  const address = await new Promise<string>((resolve) => {
    stdout?.on('data', (chunk: Buffer) => {
      output += String(chunk);
      const said = /^Skylark is at (http:\S+)$/m.exec(output)?.[1];
      if (said !== undefined) resolve(said);
    });
  });
  stdout?.pause();
  expect(await ask(address, `/${'x'.repeat(199)}`, REQUESTS)).toBe(REQUESTS);

  server.kill('SIGTERM');
  await ended;
  expect([server.exitCode, server.signalCode]).toEqual([0, null]);
});

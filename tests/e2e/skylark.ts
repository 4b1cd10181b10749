import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base, expect } from '@playwright/test';
import { stockMarket } from './market.ts';

export { expect };

/** A Skylark server of its own process, on a free port of loopback. */
export interface RunningSkylark {
  url: string;
  process: ChildProcess;
  /** Stops it as an operator would, and waits until it has gone. */
  stop: () => Promise<void>;
}

/** The address that the server prints once it answers, whatever stands around it. */
const ADDRESS = /http:\/\/127\.0\.0\.1:\d+/;

/** Starts the product as `npm start` does, on its own data folder. */
export async function startSkylark(
  dataDir: string,
  environment: Record<string, string> = {},
): Promise<RunningSkylark> {
  const server = spawn('node', ['server/main.ts'], {
    env: { ...process.env, PORT: '0', HOST: '127.0.0.1', DATA_DIR: dataDir, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const gone = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  const url = await addressOf(server);
  return {
    url,
    process: server,
    async stop() {
      server.kill('SIGTERM');
      await gone;
    },
  };
}

function addressOf(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const listen = (chunk: Buffer) => {
      said += chunk.toString();
      const address = ADDRESS.exec(said)?.[0];
      if (address) resolve(address);
    };
    server.stdout?.on('data', listen);
    server.stderr?.on('data', listen);
    server.once('exit', (code) =>
      reject(new Error(`The server ended with ${code} before it answered:\n${said}`)),
    );
  });
}

/** A folder for one server's data, filled with the small market, removed by `remove`. */
export async function marketFolder(): Promise<{ dataDir: string; remove: () => Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'skylark-e2e-'));
  await stockMarket(dataDir);
  return { dataDir, remove: () => rm(dataDir, { recursive: true, force: true }) };
}

/** Every test of a worker shares one server on the small market; `baseURL` is its address. */
export const test = base.extend<object, { skylark: RunningSkylark }>({
  skylark: [
    async ({ browserName }, use) => {
      expect(browserName).toBe('chromium');
      const { dataDir, remove } = await marketFolder();
      const skylark = await startSkylark(dataDir, { SAMPLE_INVENTORY: 'off' });
      await use(skylark);
      await skylark.stop();
      await remove();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ skylark }, use) => {
    await use(skylark.url);
  },
});

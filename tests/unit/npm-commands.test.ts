import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

let npm: ChildProcess | null = null;
const folder = temporaryFolder();
afterEach(() => {
  // A group of its own, with whatever the test may have left running in it.
  if (npm?.pid !== undefined) {
    try {
      process.kill(-npm.pid, 'SIGKILL');
    } catch {}
  }
  folder.remove();
});

it('SIGTERM to npm start stops the server and closes its port', async () => {
  const command = /^npm ci && (npm start)\b/m.exec(readFileSync('README.md', 'utf8'))?.[1] ?? '';
  const [program = '', ...args] = command.split(' ');
  const started = spawn(program, args, {
    detached: true,
    // The page is built where it is not yet: as for visitors, not as for tests.
    env: {
      ...process.env,
      NODE_ENV: undefined,
      PORT: '0',
      DATA_DIR: folder.path,
      SAMPLE_INVENTORY: 'off',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  npm = started;
  const address = await addressOf(started);
  expect((await fetch(`${address}/healthz`)).status).toBe(200);
  const ended = once(started, 'exit');
  started.kill('SIGTERM');
  await ended;
  await expect(fetch(`${address}/healthz`)).rejects.toThrow('fetch failed');
}, 180_000);

it.each(['start', 'market', 'feed', 'alerts', 'doctor', 'backup', 'restore', 'sample:clear', 'export'])(
  'npm run %s replaces its shell, which would not hand a signal on',
  (name) => {
    expect(scripts[name]?.split(' && ').at(-1)).toMatch(/^exec node /);
  },
);

function addressOf(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    server.stdout?.on('data', (chunk: Buffer) => {
      said += String(chunk);
      const address = /^Skylark is at (http:\S+)$/m.exec(said)?.[1];
      if (address !== undefined) resolve(address);
    });
    server.once('exit', () => reject(new Error(`It ended before it answered: ${said}`)));
  });
}

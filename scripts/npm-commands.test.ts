import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { temporaryFolder } from '../tests/fixtures/temporary-folder.ts';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

let npm: ChildProcess | null = null;
const folder = temporaryFolder();
afterEach(() => {
  // Ends the whole process group, including children that the test left running.
  if (npm?.pid !== undefined) {
    try {
      process.kill(-npm.pid, 'SIGKILL');
    } catch {}
  }
  folder.remove();
});

it('the start command of the README stops on SIGTERM and closes its port', async () => {
  const command = /^npm ci && (npm start)\b/m.exec(readFileSync('README.md', 'utf8'))?.[1] ?? '';
  const [program = '', ...args] = command.split(' ');
  const started = spawn(program, args, {
    detached: true,
    // Builds the page for production if it is missing or stale.
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
  'npm run %s replaces its shell, which would not forward signals',
  (name) => {
    expect(scripts[name]?.split(' && ').at(-1)).toMatch(/^([A-Z_]+=\d+ )*exec node /);
  },
);

it.each(Object.entries(scripts))('npm run %s runs files that exist', (_, command) => {
  const files = [...command.matchAll(/\bnode (?:--\S+ )*(\S+\.ts)\b/g)].map(([, file = '']) => file);
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
});

function addressOf(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    server.stdout?.on('data', (chunk: Buffer) => {
      output += String(chunk);
      const address = /^Skylark is at (http:\S+)$/m.exec(output)?.[1];
      if (address !== undefined) resolve(address);
    });
    server.once('exit', () => reject(new Error(`The server exited before it was ready: ${output}`)));
  });
}

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../server/storage/open/database.ts';
import { embeddedStore } from '../server/storage/store-address.ts';
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

describe('every command', () => {
  const stored = temporaryFolder();
  beforeAll(async () => (await openDatabase(embeddedStore(stored.path))).close());
  afterAll(() => stored.remove());

  const commands = Object.entries({ ...scripts, 'node server/main.ts': 'node server/main.ts' });

  /** Runs a command as npm does. */
  const run = (command: string, option: string) =>
    promisify(execFile)('sh', ['-c', `${command} ${option}`], {
      env: { ...process.env, PATH: `node_modules/.bin:${process.env.PATH}`, DATA_DIR: stored.path },
    }).then(
      ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
      (error: { code: number; stdout: string; stderr: string }) => error,
    );
  const filesOf = () =>
    readdirSync(stored.path).map((name) => {
      const content = readFileSync(join(stored.path, name));
      return [name, createHash('sha256').update(content).digest('hex')];
    });

  it.concurrent.each(commands)(
    '%s prints its usage on --help, and changes nothing',
    async (name, command) => {
      const before = filesOf();
      const { code, stdout } = await run(command, '--help');
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(usageOf(name)) });
      expect(filesOf()).toEqual(before);
    },
  );

  it.concurrent.each(commands)('%s refuses an unknown option, and changes nothing', async (name, command) => {
    const before = filesOf();
    const { code, stderr } = await run(command, '--no-such-option');
    expect(code).toBe(2);
    expect(stderr).toContain('no-such-option');
    expect(stderr).toContain(usageOf(name));
    expect(filesOf()).toEqual(before);
  });
});

/** How a command's usage names it. */
function usageOf(name: string): string {
  if (name.startsWith('node ')) return name;
  return name === 'start' || name === 'test' ? `npm ${name}` : `npm run ${name}`;
}

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

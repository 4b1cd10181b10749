import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterEach, expect, it } from 'vitest';

const LOG = new URL('./log.ts', import.meta.url).href;

let started: ChildProcess | null = null;
afterEach(() => started?.kill('SIGKILL'));

function run(script: string) {
  const child = spawn(
    process.execPath,
    ['--input-type=module', '-e', `import { log } from '${LOG}';\n${script}`],
    {
      stdio: ['pipe', 'pipe', 'ignore'],
    },
  );
  started = child;
  return child;
}

it('writes waiting lines while the process has nothing else to do', async () => {
  const child = run("log.info('waiting'); process.stdin.resume();");
  const [line] = await once(child.stdout, 'data');
  expect(JSON.parse(String(line))).toMatchObject({ level: 30, msg: 'waiting' });
});

it.each([
  ['ends', ''],
  ['exits', 'process.exit();'],
  ['fails', "throw new Error('failed');"],
])('writes the last lines of a process that %s', async (_, end) => {
  const output = await text(run(`log.info('first'); log.warn('last'); ${end}`).stdout);
  const lines = output.trim().split('\n');
  expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([{ msg: 'first' }, { msg: 'last' }]);
});

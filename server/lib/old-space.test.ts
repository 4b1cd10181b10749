import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { oldSpaceLimit } from './old-space.ts';

const MB = 1_024 * 1_024;
const MODULE = join(import.meta.dirname, 'old-space.ts');

function run(options: readonly string[], script: string, env: Record<string, string> = {}): string {
  const imported = `import { oldSpaceLimit } from '${MODULE}'; ${script}`;
  const args = [...options, '--input-type=module', '--eval', imported];
  return spawnSync(process.execPath, args, { encoding: 'utf8', env: { PATH: process.env.PATH, ...env } })
    .stdout;
}

it.each([
  [160, ['--max-old-space-size=160']],
  [160, ['--max_old_space_size=160']],
  [160, ['--max-old-space-size=160', '--max-semi-space-size=64']],
  [160, ['--max-semi-space-size=4', '--max-old-space-size=160']],
  [160, ['--max-semi-space-size=5', '--max-old-space-size=160']],
  [160, ['--max-semi-space-size=100', '--max-old-space-size=300', '--max-old-space-size=160']],
  [288, ['--max-heap-size=300', '--max-semi-space-size=4']],
])('is %d MB with %j', (limit, options) => {
  expect(Number(run(options, 'console.log(oldSpaceLimit())')) / MB).toBe(limit);
});

it('reads NODE_OPTIONS before the options of the command', () => {
  const env = { NODE_OPTIONS: '--max-old-space-size=100 --max-semi-space-size=8' };
  const script = 'console.log(oldSpaceLimit())';
  expect(Number(run([], script, env)) / MB).toBe(100);
  expect(Number(run(['--max-semi-space-size=2'], script, env)) / MB).toBe(100);
  expect(Number(run(['--max-old-space-size=200'], script, env)) / MB).toBe(200);
});

it('leaves out the usual reserve without options', () => {
  expect(oldSpaceLimit([], 4_288 * MB) / MB).toBeCloseTo(4_096);
});

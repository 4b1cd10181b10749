import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

function run(...args: string[]) {
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return { stdout, stderr };
}

it('sets an option that this version of Node has', () => {
  expect(run('--v8-options').stdout).toContain('--heap-growing-percent');
  const module = join(import.meta.dirname, 'heap-growth.ts');
  const script = `import { limitHeapGrowth } from '${module}'; limitHeapGrowth(); console.log('set');`;
  expect(run('--input-type=module', '--eval', script)).toEqual({ stdout: 'set\n', stderr: '' });
  const unknown = `import { setFlagsFromString } from 'node:v8'; setFlagsFromString('--no-such-option=1');`;
  expect(run('--input-type=module', '--eval', unknown).stderr).not.toBe('');
});

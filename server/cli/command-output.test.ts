import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** Runs a program whose output fails with `code`, and returns its exit code. */
function exitCodeAfter(code: string): number | null {
  const program = `
    import '${join(import.meta.dirname, 'command-output.ts')}';
    process.stdout.emit('error', Object.assign(new Error('write ${code}'), { code: '${code}' }));
    setTimeout(() => process.exit(7), 1);`;
  return spawnSync(process.execPath, ['--input-type=module', '-e', program]).status;
}

it('lets a command continue if its reader closes the pipe, but not after another write error', () => {
  expect(exitCodeAfter('EPIPE')).toBe(7);
  expect(exitCodeAfter('EIO')).toBe(1);
});

it('is imported by every command', () => {
  const commands = readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => [name, readFileSync(join(import.meta.dirname, name), 'utf8')] as const)
    .filter(([, text]) => text.includes('// npm run') || text.includes('npm run '));
  expect(commands.length).toBeGreaterThan(8);
  for (const [name, text] of commands)
    expect([name, text]).toEqual([name, expect.stringContaining("'./command-output.ts';")]);
});

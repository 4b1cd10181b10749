import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it.each([11, 12, 13, 14, 15])('keeps every invariant for a year in world %d', { timeout: 1_800_000 }, (seed) => {
  const run = join(import.meta.dirname, 'run.ts');
  const { status, stdout } = spawnSync(process.execPath, [run, '--seed', String(seed)], { encoding: 'utf8' });
  expect(status, stdout).toBe(0);
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';

/** In a process of its own, because the simulation replaces what Node offers. */
async function simulation(...options: string[]): Promise<{ exit: unknown; said: string }> {
  const run = join(import.meta.dirname, 'run.ts');
  const child = spawn(process.execPath, [run, ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [said, [exit]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return { exit, said };
}

it('keeps every rule for a week of failures', async () => {
  const { exit, said } = await simulation('--seed', '1', '--until', '7');
  expect(exit, said).toBe(0);
});

it('repeats the same events with the same seed', async () => {
  const traces: (string | undefined)[] = [];
  for (let nth = 0; nth < 2; nth += 1)
    traces.push(/Trace \w+/.exec((await simulation('--seed', '3', '--until', '2')).said)?.[0]);
  expect(traces[0]).toBeDefined();
  expect(traces[1]).toBe(traces[0]);
});

it('finds a fault that is put back', async () => {
  const { exit, said } = await simulation('--seed', '1', '--until', '2', '--fault', 'changes-order');
  expect(exit).toBe(1);
  expect(said).toMatch(/^Seed 1, day \d: \w+ \d+ /m);
});

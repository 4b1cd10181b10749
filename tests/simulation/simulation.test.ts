import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PUT_BACK } from './put-back-faults.ts';
import { simulation } from './simulation.ts';

it('keeps every rule for a month of failures', async () => {
  const { exit, said } = await simulation('--seed', '1', '--until', '30');
  expect(exit, said).toBe(0);
});

it('repeats the same events with the same seed', async () => {
  const traces: (string | undefined)[] = [];
  for (let nth = 0; nth < 2; nth += 1)
    traces.push(/Trace \w+/.exec((await simulation('--seed', '3', '--until', '2')).said)?.[0]);
  expect(traces[0]).toBeDefined();
  expect(traces[1]).toBe(traces[0]);
});

it.each(Object.entries(PUT_BACK))('can put back %s', (_name, { file, right }) => {
  const source = readFileSync(join(import.meta.dirname, '../..', file), 'utf8');
  expect(source.split(right)).toHaveLength(2);
});

it('finds a fault that is put back', async () => {
  const { exit, said } = await simulation('--seed', '1', '--until', '2', '--fault', 'changes-order');
  expect(exit).toBe(1);
  expect(said).toMatch(/^Seed 1, day \d: \w+ \d+ /m);
});

import { expect, it } from 'vitest';
import { simulation } from './simulation.ts';

it.each([1, 2])(
  'keeps every rule for six months of failures in world %d',
  {
    timeout: 3_600_000,
  },
  async (seed) => {
    const { exit, said } = await simulation('--seed', String(seed), '--until', '180');
    expect(exit, said).toBe(0);
  },
);

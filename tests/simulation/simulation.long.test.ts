import { expect, it } from 'vitest';
import { simulation } from './simulation.ts';

it.concurrent.each([1, 2, 3, 4, 5])(
  'keeps every rule for a year of failures in world %d',
  { timeout: 4 * 3_600_000 },
  async (seed) => {
    const { exit, said } = await simulation('--seed', String(seed), '--until', '365');
    expect(exit, said).toBe(0);
  },
);

import { expect, it } from 'vitest';
import { ALLOWANCE, costAllowance } from './allowance.ts';

it('charges each client for what its requests cost, and refills within a minute', () => {
  let now = 0;
  const charge = costAllowance(() => now);
  for (let spent = 0; spent < ALLOWANCE.burst; spent += 2_000) expect(charge('a', 2_000)).toBe(0);
  expect(charge('a', 2_000)).toBe(1);
  expect(charge('b', 2_000)).toBe(0);
  now = 1_000;
  expect(charge('a', 2_000)).toBe(0);
  expect(charge('a', 20)).toBe(1);
});

it('charges nothing to programs on this machine', () => {
  const charge = costAllowance(() => 0);
  expect(charge('local', 10 * ALLOWANCE.burst)).toBe(0);
});

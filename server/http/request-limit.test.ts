import { expect, it } from 'vitest';
import { requestAllowance } from './request-limit.ts';

it("refills each client's allowance steadily", () => {
  let now = 0;
  const allowance = requestAllowance(60, () => now);
  for (let nth = 0; nth < 60; nth += 1) expect(allowance.take('192.0.2.1')).toBe(0);
  expect(allowance.take('192.0.2.1')).toBe(1);
  expect(allowance.take('192.0.2.2')).toBe(0);
  now += 1_000;
  expect(allowance.take('192.0.2.1')).toBe(0);
  expect(allowance.take('192.0.2.1')).toBe(1);
});

it('returns the time to wait without counting a request', () => {
  const allowance = requestAllowance(1, () => 0);
  expect(allowance.wait('2001:db8::1')).toBe(0);
  expect(allowance.take('2001:db8::1')).toBe(0);
  // This address is in the same /64.
  expect(allowance.wait('2001:db8::2')).toBe(60);
});

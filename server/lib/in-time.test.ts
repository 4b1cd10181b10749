import { expect, it } from 'vitest';
import { virtualClock } from '../../tests/fixtures/virtual-clock.ts';
import { inTime } from './in-time.ts';

it('returns null if a thread fails, and asks again the next time', async () => {
  const answers = [Promise.reject(new Error('the store is locked')), Promise.resolve(3)];
  const read = inTime(() => answers.shift() ?? Promise.resolve(0), virtualClock());
  expect(await read()).toBeNull();
  await new Promise(setImmediate);
  expect(await read()).toBe(3);
});

import { expect, it } from 'vitest';
import { virtualClock } from '../../tests/fixtures/virtual-clock.ts';
import { type RefreshRun, refreshRuns } from './refresh-runs.ts';

/** Refreshes that end when the test says so. */
function refreshes() {
  const clock = virtualClock();
  const open: ((run: RefreshRun) => void)[] = [];
  let begun = 0;
  const runs = refreshRuns(() => {
    begun += 1;
    return new Promise((resolve) => open.push(resolve));
  }, clock);
  return {
    clock,
    runs,
    begun: () => begun,
    async end(run: RefreshRun) {
      open.shift()?.(run);
      await clock.advance(0);
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

it('refreshes once more after the current run, even after several requests', async () => {
  const { runs, begun, end } = refreshes();
  runs.request();
  runs.request();
  runs.request();
  expect(begun()).toBe(1);
  await end('done');
  expect(begun()).toBe(2);
  await end('done');
  expect(begun()).toBe(2);
  runs.request();
  expect(begun()).toBe(3);
});

it('retries a little later while another server refreshes', async () => {
  const { runs, begun, end, clock } = refreshes();
  runs.request();
  await end('elsewhere');
  expect(begun()).toBe(1);
  await clock.advance(60_000);
  expect(begun()).toBe(2);
  await end('done');
  await clock.advance(600_000);
  expect(begun()).toBe(2);
});

it('starts no refresh after a stop', async () => {
  const { runs, end, begun, clock } = refreshes();
  runs.request();
  await end('elsewhere');
  runs.request();
  runs.request();
  runs.stop();
  await end('elsewhere');
  await clock.advance(600_000);
  expect(begun()).toBe(2);
  expect(clock.pending).toBe(0);
});

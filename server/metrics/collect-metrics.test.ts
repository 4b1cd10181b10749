import { expect, it } from 'vitest';
import { collectedMetrics } from './collect-metrics.ts';

function counted() {
  const state = { value: 0, collections: 0, running: 0, fails: false };
  const metrics = collectedMetrics({
    async metrics() {
      state.collections += 1;
      state.running += 1;
      expect(state.running).toBe(1);
      const { value } = state;
      await new Promise(setImmediate);
      state.running -= 1;
      if (state.fails) throw new Error('no store');
      return `value ${value}`;
    },
  });
  return { state, metrics };
}

it('shares one collection and its result among concurrent requests', async () => {
  const { state, metrics } = counted();
  await Promise.all(Array.from({ length: 10 }, metrics));
  state.value = 1;
  const all = await Promise.all(Array.from({ length: 1_000 }, metrics));
  expect(state.collections).toBeLessThanOrEqual(3);
  expect(new Set(all).size).toBe(1);
  expect(String(all[0])).toBe('value 1');
});

it('never returns values from before the request', async () => {
  const { state, metrics } = counted();
  const seen: Promise<Buffer>[] = [];
  const startedAt = performance.now();
  for (let nth = 1; nth <= 50; nth += 1) {
    state.value = nth;
    seen.push(metrics());
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const values = (await Promise.all(seen)).map((text) => Number(String(text).split(' ')[1]));
  for (const [at, value] of values.entries()) expect(value).toBeGreaterThan(at);
  expect(state.collections).toBeLessThanOrEqual((performance.now() - startedAt) / 100 + 2);
});

it('collects again after a failure', async () => {
  const { state, metrics } = counted();
  state.fails = true;
  await expect(metrics()).rejects.toThrow('no store');
  state.fails = false;
  expect(String(await metrics())).toBe('value 0');
});

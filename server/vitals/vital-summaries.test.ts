import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { vitalMetrics } from './vital-metrics.ts';
import { vitalSummaries } from './vital-summaries.ts';

it('summarises measurements by name and page', async () => {
  const registry = new Registry();
  expect(await vitalSummaries(registry)).toEqual([]);
  const observe = vitalMetrics(registry);
  for (const value of [900, 900, 900, 5_000]) observe('/results', { name: 'LCP', value });
  const [summary] = await vitalSummaries(registry);
  expect(summary).toMatchObject({ name: 'LCP', page: '/results', measurements: 4 });
  expect(summary?.p75).toBeGreaterThanOrEqual(0.9);
  expect(summary?.p75).toBeLessThan(5);
});

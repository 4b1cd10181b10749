import { expect, it } from 'vitest';
import { runMixedLoad } from '../soak/mixed-load.ts';

it('responds correctly to every kind of request under a mixed load', { timeout: 60_000 }, async () => {
  const samples: string[] = [];
  const report = await runMixedLoad({ seconds: 8, rate: 40, every: 1, sampleDir: null }, (line) =>
    samples.push(line),
  );
  expect(report.wrong).toEqual([]);
  expect(report.requests).toBeGreaterThan(100);
  expect(Object.keys(report.answers)).toEqual(
    expect.arrayContaining(['search 200', 'click 204', 'sign-up 200', 'deep body 400', 'large body 413']),
  );
  expect(samples.length).toBe(report.memory.length);
  for (const { megabytes } of report.memory) expect(megabytes).toBeLessThan(1_000);
});

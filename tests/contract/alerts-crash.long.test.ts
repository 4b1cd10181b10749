import { describe, expect, it } from 'vitest';
import { STORE_KINDS } from '../fixtures/test-stores.ts';
import { runCrashes } from '../soak/alerts-crash-runs.ts';

/** Set CRASH_POINTS=200 for a longer run. */
const POINTS = Number(process.env.CRASH_POINTS ?? 8);

describe.each(STORE_KINDS)('A killed process, with the %s store', (store) => {
  it('loses no acknowledged sign-up, and sends nothing twice after its restart', {
    timeout: 300_000 + POINTS * 30_000,
  }, async () => {
    const report = await runCrashes(POINTS, 3, store);
    expect(report.wrong).toEqual([]);
    expect(report.killed).toBe(POINTS);
  });
});

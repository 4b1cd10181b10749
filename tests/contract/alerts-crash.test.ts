import { describe, expect, it } from 'vitest';
import { runCrashes } from '../soak/alerts-crash-runs.ts';

describe('A killed process', () => {
  it('has lost no acknowledged sign-up and sends nothing twice after its restart', {
    timeout: 300_000,
  }, async () => {
    const report = await runCrashes(8, 3);
    expect(report.wrong).toEqual([]);
    expect(report.killed).toBe(8);
  });
});

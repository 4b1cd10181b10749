import { describe, expect, it } from 'vitest';
import { runCrashes } from '../soak/alerts-crash-runs.ts';

describe('A process that is killed', () => {
  it('has lost nothing that it acknowledged, and sends nothing twice, when it is started again', {
    timeout: 300_000,
  }, async () => {
    const report = await runCrashes(8, 3);
    expect(report.wrong).toEqual([]);
    expect(report.killed).toBe(8);
  });
});

import { describe, expect, it } from 'vitest';
import { runAlertStorm } from '../soak/alert-storm.ts';

describe('With a provider that fails, rejects, hangs and resets connections', () => {
  it('loses no alert, sends none twice, and lists as unknown only alerts that were not sent', {
    timeout: 300_000,
  }, async () => {
    const report = await runAlertStorm({ numbers: 60, days: 5, seed: 1, webhooks: true, timeoutMs: 300 });
    expect(report).toMatchObject({ alerts: 300, twice: 0, lost: 0 });
    expect(report.unknown).toBe(report.unknownNotAccepted);
    expect(report.refused).toBeGreaterThan(5);
    expect(report.unknown).toBeGreaterThan(20);
  });

  it('sends no alert twice without status webhooks', { timeout: 300_000 }, async () => {
    const report = await runAlertStorm({ numbers: 60, days: 5, seed: 2, webhooks: false, timeoutMs: 300 });
    expect(report).toMatchObject({ alerts: 300, twice: 0, lost: 0 });
    expect(report.unknown).toBeGreaterThan(report.unknownNotAccepted);
  });
});

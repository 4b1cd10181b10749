import { describe, expect, it } from 'vitest';
import { runAlertStorm } from '../soak/alert-storm.ts';

describe('A provider that fails, refuses, hangs and cuts the line', () => {
  it('loses no alert and sends none twice: what is not known is listed, and was not sent', {
    timeout: 300_000,
  }, async () => {
    const report = await runAlertStorm({ numbers: 60, days: 5, seed: 1, webhooks: true, timeoutMs: 300 });
    expect(report).toMatchObject({ alerts: 300, twice: 0, lost: 0 });
    expect(report.unknown).toBe(report.unknownNotTaken);
    expect(report.refused).toBeGreaterThan(5);
    expect(report.unknown).toBeGreaterThan(20);
  });

  it('sends none twice when no status ever comes', { timeout: 300_000 }, async () => {
    const report = await runAlertStorm({ numbers: 60, days: 5, seed: 2, webhooks: false, timeoutMs: 300 });
    expect(report).toMatchObject({ alerts: 300, twice: 0, lost: 0 });
    expect(report.unknown).toBeGreaterThan(report.unknownNotTaken);
  });
});

import { describe, expect, it } from 'vitest';
import { raceStops } from '../alerts/stop-races.ts';

describe('A STOP against a send', () => {
  it('is never followed by a call, once it is answered', { timeout: 60_000 }, async () => {
    const report = await raceStops(300, 1);
    expect(report).toMatchObject({ races: 300, late: 0 });
    expect(report.sent).toBeGreaterThan(30);
    expect(report.notSent).toBeGreaterThan(30);
  });
});

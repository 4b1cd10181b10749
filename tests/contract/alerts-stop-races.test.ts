import { describe, expect, it } from 'vitest';
import { raceStops } from '../soak/stop-races.ts';

describe('A STOP that races a send', () => {
  it.each([
    ['embedded', 300],
    ['postgresql', 60],
  ] as const)(
    'is never followed by a call after its response, in the %s store',
    { timeout: 60_000 },
    async (store, races) => {
      const report = await raceStops(races, 1, store);
      expect(report).toMatchObject({ races, late: 0 });
      expect(report.sent).toBeGreaterThan(races / 10);
      expect(report.notSent).toBeGreaterThan(races / 10);
    },
  );
});

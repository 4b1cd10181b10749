import { describe, expect, it } from 'vitest';
import { STORE_KINDS } from '../fixtures/test-stores.ts';
import { runOutage } from '../soak/alert-outages.ts';

/** More alerts than may be sent in one second. */
const ALERTS = 100;

describe.each(STORE_KINDS)('An outage of the provider, with the %s store', (store) => {
  it.each([
    ['down', 10],
    ['hangs before', 10],
    ['hangs after', 1],
  ] as const)(
    'loses no alert and sends none twice: %s for %d minutes',
    { timeout: 300_000 },
    async (outage, minutes) => {
      const report = await runOutage(outage, minutes, ALERTS, store);
      expect(report).toMatchObject({ lost: 0, twice: 0, arrived: ALERTS });
      // A status settles each accepted message, and few calls start while the provider does not respond.
      expect(report.unknown).toBeLessThanOrEqual(outage === 'hangs before' ? 20 : 0);
    },
  );
});

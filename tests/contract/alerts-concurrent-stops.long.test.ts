import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { STOPPED } from '../../server/alerts/texts/message-text.ts';
import { type MetaSimulator, startMetaSimulator } from '../fixtures/alerts/meta-simulator.ts';
import { openSmallAlerts, type SmallAlerts, SOMEBODY } from '../fixtures/alerts/small-alerts.ts';
import { NOW } from '../fixtures/small-inventory.ts';
import { STORE_KINDS } from '../fixtures/test-stores.ts';
import { raceStops } from '../soak/stop-races.ts';

/** Seconds since 1970. */
const NOON = NOW / 1_000;

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

describe.each(STORE_KINDS)('A repeated STOP, in the %s store', (store) => {
  let simulator: MetaSimulator;
  let alerts: SmallAlerts;
  beforeEach(async () => {
    simulator = await startMetaSimulator({ seed: 1 });
    alerts = await openSmallAlerts({
      store,
      variables: { ALERT_CONFIRMATION: 'none', ALERT_QUIET_HOURS: 'none' },
      config: (config) => ({
        ...config,
        provider: simulator.settings,
        sending: { ...config.sending, numberEveryMs: 0, messagesPerDay: 0, pencePerDay: 0 },
      }),
    });
  });
  afterEach(async () => {
    await alerts.close();
    await simulator.close();
  });

  const sql = () => alerts.parts.store.sql;
  const acts = async () => (await sql().all`select act from alert_consent order by id`).map(({ act }) => act);
  const answers = () => simulator.calls.filter(({ text }) => text === STOPPED).length;
  /** Delivers all these messages together, the last one first. They were sent at these seconds after noon. */
  async function hear(body: string, seconds: readonly number[]): Promise<void> {
    const sent = seconds.toReversed().map((second) => ({
      id: `${body} ${second}`,
      from: SOMEBODY,
      timestamp: String(NOON + second),
      type: 'text',
      text: { body },
    }));
    await Promise.all(sent.map((message) => alerts.service.processWebhook(simulator.inbound(message))));
    alerts.passTime(2_000);
    await alerts.parts.dispatcher.drain();
  }

  it('is recorded and, with others at the same time, replied to once, and the last one counts', async () => {
    await alerts.signUp(SOMEBODY, alerts.itemKeys[0] ?? '');
    await hear('STOP', [10, 20, 30, 40]);
    await hear('STOP', [50]);
    expect(await acts()).toEqual(['signed up', 'stopped']);
    expect(answers()).toBe(2);
    await hear('START', [45]);
    expect(await sql().all`select at from alert_suppression`).toEqual([{ at: (NOON + 50) * 1_000 }]);
    await hear('START', [60]);
    expect(await sql().all`select at from alert_suppression`).toEqual([]);
  });

  it('applies after each START, which brings the watch back', async () => {
    await alerts.signUp(SOMEBODY, alerts.itemKeys[0] ?? '');
    for (const at of [10, 30, 50]) {
      await hear('STOP', [at]);
      expect(await sql().all`select at from alert_suppression`).toEqual([{ at: (NOON + at) * 1_000 }]);
      expect(await sql().all`select state from alert_watch`).toEqual([{ state: 'paused' }]);
      await hear('START', [at + 10]);
      expect(await sql().all`select state from alert_watch`).toEqual([{ state: 'active' }]);
    }
    await hear('STOP', [70]);
    // This sign-up of a stopped contact sends nothing, and the next STOP pauses it.
    await alerts.signUp(SOMEBODY, alerts.itemKeys[1] ?? '');
    await hear('STOP', [80, 90]);
    expect(await sql().all`select state from alert_watch`).toEqual([
      { state: 'paused' },
      { state: 'paused' },
    ]);
  });
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readPause } from '../../server/alerts/delivery/pauses.ts';
import { openDatabase } from '../../server/storage/open/database.ts';
import { dramaNumber } from '../fixtures/alerts/drama-numbers.ts';
import { type HeldProvider, startHeldProvider } from '../fixtures/alerts/held-provider.ts';
import { type StoreHolder, startStoreHolder } from '../fixtures/alerts/hold-store.ts';
import { metaSettings } from '../fixtures/alerts/meta-simulator.ts';
import { openSmallAlerts, type SmallAlerts } from '../fixtures/alerts/small-alerts.ts';
import { STORE_KINDS } from '../fixtures/test-stores.ts';

/** More calls without a response than the alerts allow. Each `sendDue` claims four messages. */
const CALLS = 12;
const TURNS = CALLS / 4;

/** The most calls that start before one gets a response. */
const UNANSWERED = 10;

/** When a call is aborted, in milliseconds. */
const TIMEOUT = 4_000;

/** How long the other process holds the store, in milliseconds. */
const HELD = TIMEOUT + 500;

describe.each(STORE_KINDS)('While another process holds the %s store', (store) => {
  let provider: HeldProvider;
  let alerts: SmallAlerts;
  let holder: StoreHolder;

  beforeEach(async () => {
    provider = await startHeldProvider();
    alerts = await openSmallAlerts({
      store,
      // Outcomes that cannot be written yet are logged, and written again.
      log: () => {},
      config: (config) => ({
        ...config,
        provider: metaSettings(provider.url),
        sending: { ...config.sending, timeoutMs: TIMEOUT },
      }),
    });
    holder = await startStoreHolder(alerts.address);
    // The first call starts the thread, which on a busy machine may take longer than the timeout.
    await alerts.signUp(dramaNumber(CALLS), alerts.itemKeys[0] ?? '');
    await alerts.parts.dispatcher.drain();
    await alerts.parts.store.sql.run`delete from alert_message`;
    provider.holdResponses();
  });
  afterEach(async () => {
    await holder.close();
    await alerts.close();
    await provider.close();
  });

  /**
   * Starts the calls, then holds the store for longer than their timeout, as an import may do.
   */
  async function callAndHold(whenHeld: () => void): Promise<void> {
    const itemKey = alerts.itemKeys[0] ?? '';
    for (let index = 0; index < CALLS; index += 1) await alerts.signUp(dramaNumber(index), itemKey);
    const waiting = await openDatabase(alerts.address);
    for (let turn = 0; turn < TURNS; turn += 1) await alerts.parts.dispatcher.sendDue();
    await holder.hold();
    whenHeld();
    holder.releaseAfter(HELD);
    const since = performance.now();
    await waiting.write('records', async () => {});
    expect(performance.now() - since).toBeGreaterThan(TIMEOUT);
    await waiting.close();
    await alerts.parts.dispatcher.drain();
  }

  it('records every response that arrives in time', async () => {
    await callAndHold(() => provider.sendResponses());
    expect((await alerts.messages()).map(({ state }) => state)).toEqual(Array(CALLS).fill('accepted'));
    expect(provider.calls).toBe(CALLS);
    expect(await alerts.service.readNotices(0)).toEqual([]);
    expect(await readPause(alerts.parts.store, 'whatsapp')).toMatchObject({ reason: null });
  });

  it('aborts calls to a provider that does not respond, and starts no others', async () => {
    await callAndHold(() => {});
    // Messages that are due at the same second may be called in any order.
    const outcomes = (await alerts.messages()).map(({ state, reason }) => `${state} ${reason}`);
    expect(outcomes.toSorted()).toEqual(
      Array(CALLS)
        .fill('queued null')
        .fill('unknown TimeoutError', CALLS - UNANSWERED),
    );
    expect(provider.calls).toBe(UNANSWERED);
    expect(await alerts.service.readNotices(0)).toMatchObject([{ kind: 'circuit' }]);
  });
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readCircuit } from '../../server/alerts/delivery/circuit.ts';
import { inTransaction } from '../../server/storage/in-transaction.ts';
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

/** How long the store blocks this thread, in milliseconds. */
const BLOCKED = TIMEOUT + 500;

describe.each(STORE_KINDS)('While the %s store blocks the thread of the alerts', (store) => {
  let provider: HeldProvider;
  let alerts: SmallAlerts;
  let holder: StoreHolder;

  beforeEach(async () => {
    provider = await startHeldProvider();
    alerts = await openSmallAlerts({
      store,
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
    alerts.parts.store.sql.run`delete from alert_message`;
    provider.holdResponses();
  });
  afterEach(async () => {
    await holder.close();
    await alerts.close();
    await provider.close();
  });

  /**
   * Starts the calls, then blocks this thread for longer than their timeout, as a claim or sign-up may do.
   */
  async function callAndBlock(whenBlocked: () => void): Promise<void> {
    const itemKey = alerts.itemKeys[0] ?? '';
    for (let index = 0; index < CALLS; index += 1) await alerts.signUp(dramaNumber(index), itemKey);
    const waiting = openDatabase(alerts.address);
    for (let turn = 0; turn < TURNS; turn += 1) alerts.parts.dispatcher.sendDue();
    await holder.hold();
    whenBlocked();
    holder.releaseAfter(BLOCKED);
    const since = performance.now();
    inTransaction(waiting, () => {});
    expect(performance.now() - since).toBeGreaterThan(TIMEOUT);
    waiting.close();
    await alerts.parts.dispatcher.drain();
  }

  it('records every response that arrives in time', async () => {
    await callAndBlock(() => provider.sendResponses());
    expect(alerts.messages().map(({ state }) => state)).toEqual(Array(CALLS).fill('accepted'));
    expect(provider.calls).toBe(CALLS);
    expect(await alerts.service.readNotices(0)).toEqual([]);
    expect(readCircuit(alerts.parts.store, 'whatsapp')).toMatchObject({ reason: null });
  });

  it('aborts calls to a provider that does not respond, and starts no others', async () => {
    await callAndBlock(() => {});
    expect(alerts.messages().map(({ state, reason }) => [state, reason])).toEqual(
      Array(CALLS).fill(['unknown', 'TimeoutError']).fill(['queued', null], UNANSWERED),
    );
    expect(provider.calls).toBe(UNANSWERED);
    expect(await alerts.service.readNotices(0)).toMatchObject([{ kind: 'circuit' }]);
  });
});

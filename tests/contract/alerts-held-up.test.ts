import { afterEach, describe, expect, it } from 'vitest';
import { readCircuit } from '../../server/alerts/delivery/circuit.ts';
import { dramaNumber } from '../fixtures/alerts/drama-numbers.ts';
import { holdStore } from '../fixtures/alerts/hold-store.ts';
import { metaSetting } from '../fixtures/alerts/meta-simulator.ts';
import { type SlowProvider, startSlowProvider } from '../fixtures/alerts/slow-provider.ts';
import { openSmallAlerts, type SmallAlerts } from '../fixtures/alerts/small-alerts.ts';
import { STORE_KINDS } from '../fixtures/test-stores.ts';

/** Enough unanswered calls to take the provider for dead. */
const CALLS = 12;

/** A call is given up after it, in milliseconds. */
const TIMEOUT = 1_500;

/** The store is held for longer, in milliseconds. */
const HELD = 2_500;

describe.each(STORE_KINDS)('While the %s store holds the alerts up', (store) => {
  let provider: SlowProvider;
  let alerts: SmallAlerts;

  /** Begins the calls, and then waits for the store as a claim or a sign-up does: the thread stands still. */
  async function callAndWait(answersAfter: number | null): Promise<void> {
    provider = await startSlowProvider(answersAfter);
    alerts = await openSmallAlerts({
      store,
      config: (config) => ({
        ...config,
        provider: metaSetting(provider.url),
        sending: { ...config.sending, timeoutMs: TIMEOUT },
      }),
    });
    const itemKey = alerts.itemKeys[0] ?? '';
    for (let index = 0; index < CALLS; index += 1) await alerts.signUp(dramaNumber(index), itemKey);
    await holdStoreAfterCalls();
    await alerts.parts.dispatcher.drain();
  }

  async function holdStoreAfterCalls(): Promise<void> {
    const { dispatcher, store: opened } = alerts.parts;
    // Four claims a turn.
    for (let turn = 0; turn < CALLS / 4; turn += 1) dispatcher.step();
    await holdStore(alerts.address, HELD);
    const since = performance.now();
    opened.transact(() => {});
    expect(performance.now() - since).toBeGreaterThan(TIMEOUT);
  }

  afterEach(async () => {
    await alerts.close();
    await provider.close();
  });

  it('takes every answer that came in time as that answer', async () => {
    await callAndWait(800);
    expect(alerts.messages().map(({ state }) => state)).toEqual(Array(CALLS).fill('accepted'));
    expect(provider.calls).toBe(CALLS);
    expect(await alerts.service.readNotices(0)).toEqual([]);
    expect(readCircuit(alerts.parts.store)).toMatchObject({ reason: null });
  });

  it('gives a provider up that does not answer', async () => {
    await callAndWait(null);
    expect(alerts.messages().map(({ state, reason }) => [state, reason])).toEqual(
      Array(CALLS).fill(['unknown', 'TimeoutError']),
    );
    expect(provider.calls).toBe(CALLS);
    expect(await alerts.service.readNotices(0)).toMatchObject([{ kind: 'circuit' }]);
  });
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LookUpResult, SendOutcome } from '../../server/alerts/providers/message-provider.ts';
import { openSmallAlerts, type SmallAlerts, SOMEBODY } from '../fixtures/alerts/small-alerts.ts';
import { STORE_KINDS } from '../fixtures/test-stores.ts';

const MINUTE = 60_000;

describe.each(STORE_KINDS)('An unknown outcome of a provider that can be asked, in the %s store', (store) => {
  let alerts: SmallAlerts;
  let sent: number;
  let outcome: SendOutcome;
  let found: LookUpResult;
  let asked: string[];
  beforeEach(async () => {
    alerts = await openSmallAlerts({ store });
    const { provider } = alerts.parts;
    sent = 0;
    asked = [];
    outcome = { kind: 'unknown', why: 'TimeoutError' };
    found = { kind: 'not found' };
    provider.send = async () => {
      sent += 1;
      return outcome;
    };
    provider.lookUp = async ({ token }) => {
      asked.push(token);
      return found;
    };
    await alerts.signUp(SOMEBODY, alerts.itemKeys[0] ?? '');
    await alerts.parts.dispatcher.drain();
    outcome = { kind: 'accepted', messageId: 'm1', userId: null, isDelivered: false };
  });
  afterEach(() => alerts.close());

  async function passMinutes(minutes: number): Promise<void> {
    for (let minute = 0; minute < minutes; minute += 1) {
      alerts.passTime(MINUTE);
      await alerts.parts.dispatcher.drain();
    }
  }
  const states = () => alerts.messages().map(({ state }) => state);

  it('is settled if the provider has the message', async () => {
    expect(states()).toEqual(['unknown']);
    found = { kind: 'found', messageId: 'm7', status: 'delivered', code: null };
    await passMinutes(2);
    expect(states()).toEqual(['delivered']);
    expect(sent).toBe(1);
  });

  it('is sent again if the provider still has no such message after some minutes', async () => {
    await passMinutes(1);
    await passMinutes(1);
    expect([asked.length, sent, ...states()]).toEqual([1, 1, 'unknown']);
    await passMinutes(10);
    expect([asked.length, sent, ...states()]).toEqual([2, 2, 'accepted']);
    expect(new Set(asked).size).toBe(1);
  });

  it('stays unknown while the provider cannot be asked', async () => {
    found = { kind: 'unknown', why: 'http 503' };
    await passMinutes(90);
    expect([sent, ...states()]).toEqual([1, 'unknown']);
    expect(asked.length).toBeGreaterThan(3);
    expect(asked.length).toBeLessThan(10);
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openAlertService } from '../../server/alerts/alert-service.ts';
import { readCircuit } from '../../server/alerts/delivery/circuit.ts';
import { claimNext } from '../../server/alerts/delivery/claim-message.ts';
import type { SendContext } from '../../server/alerts/delivery/send-context.ts';
import { settleAttempt } from '../../server/alerts/delivery/settle-attempt.ts';
import type { SendOutcome } from '../../server/alerts/providers/message-provider.ts';
import { StoreUnavailable } from '../../server/lib/store-unavailable.ts';
import { dramaNumber } from '../fixtures/alerts/drama-numbers.ts';
import { metaSettings, signed } from '../fixtures/alerts/meta-simulator.ts';
import { type ProviderStub, startProviderStub } from '../fixtures/alerts/provider-stub.ts';
import { openSmallAlerts, type SmallAlerts, SOMEBODY } from '../fixtures/alerts/small-alerts.ts';
import { STORE_KINDS } from '../fixtures/test-stores.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

describe.each(STORE_KINDS)('Delivering a message, in the %s store', (store) => {
  let stub: ProviderStub;
  let alerts: SmallAlerts;
  let itemKey: string;
  beforeEach(async () => {
    stub = await startProviderStub();
    stub.answer.body = '{"messages":[{"id":"m1"}]}';
    alerts = await openSmallAlerts({
      store,
      variables: { ALERT_DAILY_MESSAGES: '100', ALERT_RATE: '5' },
      config: (config) => ({ ...config, provider: metaSettings(stub.url) }),
    });
    itemKey = alerts.itemKeys[0] ?? '';
  });
  afterEach(async () => {
    await alerts.close();
    await stub.close();
  });

  const drain = () => alerts.parts.dispatcher.drain();
  const tell = (...statuses: object[]) => alerts.service.processWebhook(signed({ statuses }));
  const say = (text: string, id = text) =>
    alerts.service.processWebhook(signed({ messages: [{ id, from: SOMEBODY, text: { body: text } }] }));
  const refuse = (code: number, status = 400) => {
    stub.answer = { status, body: JSON.stringify({ error: { code } }) };
  };
  const accept = (id = 'm2') => {
    stub.answer = { status: 200, body: JSON.stringify({ messages: [{ id }] }) };
  };
  const stateOf = (index: number) => alerts.messages()[index]?.state;
  /** A drop that has been sent, its confirmation and all before it. */
  async function firstDrop(): Promise<void> {
    await alerts.signUp(SOMEBODY, itemKey);
    await drain();
    await say('YES');
    alerts.passTime(6 * SECOND);
    await drain();
    alerts.passTime(6 * SECOND);
    await alerts.setPrice(itemKey, Math.floor(alerts.priceOf(itemKey) * 0.8));
  }

  it('follows the statuses in any order, and takes none back', async () => {
    await alerts.signUp(SOMEBODY, itemKey);
    await drain();
    expect(stateOf(0)).toBe('accepted');
    await tell({ id: 'm1', status: 'read', recipient_id: SOMEBODY });
    await tell({ id: 'm1', status: 'sent' }, { id: 'm1', status: 'delivered' });
    await tell({ id: 'm1', status: 'failed', errors: [{ code: 131026 }] });
    expect(stateOf(0)).toBe('read');
  });

  it('sends once what it had claimed without hearing that the claim stands', async () => {
    await alerts.signUp(SOMEBODY, itemKey);
    const { database } = alerts.parts.store;
    const { commit, rollback } = database;
    database.commit = () => {
      commit();
      throw new StoreUnavailable();
    };
    database.rollback = () => {};
    await expect(drain()).rejects.toThrow('cannot be reached');
    Object.assign(database, { commit, rollback });
    expect(stateOf(0)).toBe('sending');
    await drain();
    expect(stateOf(0)).toBe('accepted');
    expect(stub.requests).toHaveLength(1);
  });

  it('never sends again what it does not know, until a status says what became of it', async () => {
    stub.answer = { status: 500, body: '{}' };
    await alerts.signUp(SOMEBODY, itemKey);
    await drain();
    expect(stateOf(0)).toBe('unknown');
    accept();
    alerts.passTime(HOUR);
    await drain();
    expect(stub.requests).toHaveLength(1);
    const token = String(alerts.parts.store.sql.get`select token from alert_attempt`?.token);
    await tell({ id: 'm9', status: 'delivered', biz_opaque_callback_data: token });
    expect(stateOf(0)).toBe('delivered');
  });

  it('takes an attempt whose caller is gone for unknown', async () => {
    await alerts.signUp(SOMEBODY, itemKey);
    await drain();
    alerts.parts.store.database.exec(
      `update alert_attempt set state = 'begun'; update alert_message set state = 'sending'`,
    );
    alerts.passTime(9 * SECOND);
    await drain();
    expect(stateOf(0)).toBe('sending');
    alerts.passTime(2 * SECOND);
    await drain();
    expect(stateOf(0)).toBe('unknown');
    expect(stub.requests).toHaveLength(1);
  });

  it('gives a message up for good where its code says so', async () => {
    refuse(131026);
    await alerts.signUp(SOMEBODY, itemKey);
    await drain();
    expect(alerts.messages()).toMatchObject([{ state: 'failed', reason: '131026' }]);
  });

  it('sends free text as a template once the day is over', async () => {
    await alerts.signUp(SOMEBODY, itemKey);
    await drain();
    refuse(131047);
    await say('LIST');
    alerts.passTime(6 * SECOND);
    await drain();
    accept();
    alerts.passTime(6 * SECOND);
    await drain();
    expect(stub.requests.map(({ body }) => (JSON.parse(body) as { type: string }).type)).toEqual([
      'template',
      'text',
      'template',
    ]);
    expect(stateOf(1)).toBe('accepted');
  });

  it('waits longer and longer with what Meta holds back, and drops it when the drop is over', async () => {
    await firstDrop();
    await drain();
    const failed = async () => {
      const token = String(
        alerts.parts.store.sql.get`select token from alert_attempt order by id desc limit 1`?.token,
      );
      await tell({
        id: token,
        status: 'failed',
        biz_opaque_callback_data: token,
        errors: [{ code: 131049 }],
      });
    };
    const calls = stub.requests.length;
    await failed();
    await failed();
    alerts.passTime(HOUR - SECOND);
    await drain();
    expect(stub.requests).toHaveLength(calls);
    alerts.passTime(SECOND);
    await drain();
    expect(stub.requests).toHaveLength(calls + 1);
    await failed();
    alerts.passTime(5 * HOUR);
    await drain();
    expect(stub.requests).toHaveLength(calls + 1);
    await alerts.setPrice(itemKey, Math.floor(alerts.priceOf(itemKey) * 1.3));
    alerts.passTime(HOUR);
    await drain();
    expect(stub.requests).toHaveLength(calls + 1);
    expect(alerts.messages().at(-1)).toMatchObject({ state: 'dropped', reason: 'the price rose again' });
  });

  it('counts no slowing down among the times that a message was held back', async () => {
    await firstDrop();
    for (let time = 0; time < 6; time += 1) {
      refuse(130429, 429);
      await drain();
      alerts.passTime(HOUR);
    }
    refuse(131049);
    await drain();
    expect(stateOf(2)).toBe('queued');
    accept();
    alerts.passTime(HOUR);
    await drain();
    expect(stateOf(2)).toBe('accepted');
  });

  it('loses no message to an address at which nothing takes messages', async () => {
    stub.answer = { status: 404, body: '<html>' };
    await alerts.signUp(SOMEBODY, itemKey);
    await drain();
    expect(stateOf(0)).toBe('queued');
    expect(await alerts.service.readNotices(0)).toMatchObject([{ kind: 'circuit' }]);
    accept();
    alerts.passTime(5 * 60 * SECOND);
    await drain();
    expect(stateOf(0)).toBe('accepted');
  });

  it('takes a code for a stop where it is one', async () => {
    await firstDrop();
    refuse(131050);
    await drain();
    expect(alerts.parts.store.sql.get`select state from alert_watch`?.state).toBe('ended');
    await alerts.signUp(SOMEBODY, alerts.itemKeys.at(-1) ?? '');
    expect(alerts.messages().filter(({ state }) => state === 'queued')).toEqual([]);
  });

  it.each([130429, 80007])('slows down on %i, and sends what was refused', async (code) => {
    refuse(code, 429);
    await alerts.signUp(SOMEBODY, itemKey);
    await drain();
    expect(stateOf(0)).toBe('queued');
    accept();
    await drain();
    expect(stub.requests).toHaveLength(1);
    alerts.passTime(7 * SECOND);
    await drain();
    expect(stateOf(0)).toBe('accepted');
  });

  it('waits as long as it is asked to', async () => {
    stub.answer = { status: 429, body: '', headers: { 'retry-after': '90' } };
    await alerts.signUp(SOMEBODY, itemKey);
    await drain();
    accept();
    alerts.passTime(89 * SECOND);
    await drain();
    expect(stub.requests).toHaveLength(1);
    alerts.passTime(SECOND);
    await drain();
    expect(stateOf(0)).toBe('accepted');
  });

  it('sends nothing again that arrived after a failure was told', async () => {
    await firstDrop();
    await drain();
    const told = alerts.messages().length;
    const calls = stub.requests.length;
    const token = String(
      alerts.parts.store.sql.get`select token from alert_attempt order by id desc limit 1`?.token,
    );
    await tell({ id: 'x', status: 'failed', biz_opaque_callback_data: token, errors: [{ code: 131049 }] });
    expect(alerts.messages().at(-1)?.state).toBe('queued');
    await tell({ id: 'x', status: 'read', biz_opaque_callback_data: token });
    expect(alerts.messages().at(-1)?.state).toBe('read');
    alerts.passTime(30 * HOUR);
    await alerts.setPrice(itemKey, alerts.priceOf(itemKey) - 100);
    await drain();
    expect(stub.requests).toHaveLength(calls);
    expect(alerts.messages()).toHaveLength(told);
  });

  it('asks again who certainly never saw the question', async () => {
    refuse(132001);
    await alerts.signUp(SOMEBODY, itemKey);
    await drain();
    accept();
    alerts.passTime(6 * SECOND);
    await alerts.signUp(SOMEBODY, alerts.itemKeys.at(-1) ?? '');
    await drain();
    expect(alerts.messages()).toMatchObject([
      { kind: 'confirm', state: 'failed' },
      { kind: 'confirm', state: 'accepted' },
    ]);
  });

  it('tries a mended account as soon as it is started again', async () => {
    refuse(190, 401);
    await alerts.signUp(SOMEBODY, itemKey);
    await drain();
    accept();
    alerts.passTime(7 * SECOND);
    const again = openAlertService(
      { store: alerts.address, brandName: 'Skylark', config: alerts.config },
      alerts.now,
      () => {},
    );
    again.run();
    await vi.waitFor(() => expect(stateOf(0)).toBe('accepted'));
    await again.service.stop();
  });

  it('slows down to one number on 131056, and to nobody else', async () => {
    refuse(131056);
    await alerts.signUp(SOMEBODY, itemKey);
    await drain();
    accept();
    await alerts.signUp(dramaNumber(1), itemKey);
    alerts.passTime(6 * SECOND);
    await drain();
    expect([stateOf(0), stateOf(1)]).toEqual(['queued', 'accepted']);
    alerts.passTime(6 * SECOND);
    await drain();
    expect(stateOf(0)).toBe('accepted');
  });

  it.each([
    [131048, HOUR, 'pause'],
    [190, 5 * 60 * SECOND, 'account'],
    [131042, 5 * 60 * SECOND, 'account'],
  ])('sends nothing to anybody on %i, raises it, and then tries with one', async (code, wait, reason) => {
    refuse(code);
    for (let index = 0; index < 5; index += 1) await alerts.signUp(dramaNumber(index), itemKey);
    await drain();
    const calls = stub.requests.length;
    expect(alerts.messages().every(({ state }) => state === 'queued')).toBe(true);
    expect(await alerts.service.readNotices(0)).toMatchObject([
      { kind: 'circuit', text: expect.stringContaining(`${reason} (${code})`) },
    ]);
    accept();
    alerts.passTime(wait - SECOND);
    await drain();
    expect(stub.requests).toHaveLength(calls);
    alerts.passTime(7 * SECOND + 2 * wait);
    refuse(code);
    alerts.parts.dispatcher.sendDue();
    await drain();
    expect(stub.requests).toHaveLength(calls + 1);
    accept();
    alerts.passTime(9 * wait);
    await drain();
    alerts.passTime(SECOND);
    await drain();
    expect(alerts.messages().every(({ state }) => state === 'accepted')).toBe(true);
  });

  it('stops calling a provider that never answers', async () => {
    stub.answer = { status: 503, body: '' };
    for (let index = 0; index < 40; index += 1) await alerts.signUp(dramaNumber(index), itemKey);
    for (let second = 0; second < 20; second += 1) {
      await drain();
      alerts.passTime(SECOND);
    }
    expect(stub.requests.length).toBeLessThanOrEqual(15);
    expect(await alerts.service.readNotices(0)).toMatchObject([{ kind: 'circuit' }]);
  });

  describe('with calls under way', () => {
    const context = (): SendContext => ({
      ...alerts.parts,
      limits: alerts.config.sending,
      quietHours: alerts.config.quietHours,
      now: alerts.now,
    });
    const settle = (attempt: number | undefined, outcome: SendOutcome) =>
      settleAttempt(alerts.parts.store, 'meta', attempt ?? 0, outcome, alerts.now());
    const unknown: SendOutcome = { kind: 'unknown', why: 'TimeoutError' };
    const tooMany: SendOutcome = { kind: 'rejected', code: '130429', retryAfterMs: null };
    /** Claims as many messages to as many numbers, without calling anybody. */
    async function claim(count: number, from = 0): Promise<number[]> {
      const attempts: number[] = [];
      for (let index = from; index < from + count; index += 1) {
        await alerts.signUp(dramaNumber(index), itemKey);
        alerts.passTime(SECOND);
        const claimed = claimNext(context());
        if (claimed.kind === 'claimed') attempts.push(claimed.claim.attempt);
      }
      return attempts;
    }

    it('does not take a provider for dead that leaves some calls unanswered and answers later ones', async () => {
      const attempts = await claim(15);
      settle(attempts.pop(), { kind: 'accepted', messageId: 'm1', userId: null, isDelivered: false });
      for (const attempt of attempts) settle(attempt, unknown);
      expect(await alerts.service.readNotices(0)).toEqual([]);
    });

    it('does where none of many is answered, and again when the call that tried is not', async () => {
      const attempts = await claim(15);
      for (const attempt of attempts.slice(0, 10)) settle(attempt, unknown);
      expect(await alerts.service.readNotices(0)).toHaveLength(1);
      for (const attempt of attempts.slice(10)) settle(attempt, unknown);
      const until = readCircuit(alerts.parts.store).openUntil;
      alerts.passTime(until - alerts.now());
      const [tried] = await claim(1, 15);
      settle(tried, unknown);
      expect(readCircuit(alerts.parts.store).openUntil).toBeGreaterThan(alerts.now());
    });

    it('tries with ten after slowing down, without waiting for calls from before it', async () => {
      const attempts = await claim(12);
      settle(attempts.at(-1), tooMany);
      for (let index = 20; index < 40; index += 1) await alerts.signUp(dramaNumber(index), itemKey);
      expect(claimNext(context()).kind).toBe('idle');
      let claimed = 0;
      for (let second = 0; second < 4; second += 1) {
        alerts.passTime(SECOND);
        while (claimNext(context()).kind === 'claimed') claimed += 1;
      }
      expect(claimed).toBe(10);
    });
  });

  it('sends at most so many a second, one in six seconds to a number, and so many a day', async () => {
    for (let index = 0; index < 120; index += 1) await alerts.signUp(dramaNumber(index), itemKey);
    await drain();
    expect(stub.requests).toHaveLength(5);
    alerts.passTime(999);
    await drain();
    expect(stub.requests).toHaveLength(5);
    alerts.passTime(1);
    await drain();
    expect(stub.requests).toHaveLength(10);
    for (let second = 0; second < 40; second += 1) {
      alerts.passTime(SECOND);
      await drain();
    }
    expect(stub.requests).toHaveLength(100);
    expect(await alerts.service.readNotices(0)).toMatchObject([{ kind: 'daily cap' }]);
    alerts.passTime(11 * HOUR + SECOND);
    for (let second = 0; second < 10; second += 1) {
      alerts.passTime(SECOND);
      await drain();
    }
    expect(stub.requests).toHaveLength(120);
  });

  it('keeps six seconds between two messages to one number', async () => {
    await alerts.signUp(SOMEBODY, itemKey);
    await drain();
    await say('YES');
    await say('LIST');
    await drain();
    expect(stub.requests).toHaveLength(1);
    alerts.passTime(6 * SECOND);
    await drain();
    expect(stub.requests).toHaveLength(2);
    alerts.passTime(5 * SECOND);
    await drain();
    expect(stub.requests).toHaveLength(2);
  });

  it('puts nothing back into the queue for who has stopped meanwhile', async () => {
    await firstDrop();
    refuse(130429, 429);
    alerts.parts.dispatcher.sendDue();
    await say('STOP');
    accept();
    alerts.passTime(HOUR);
    await drain();
    expect(alerts.messages().at(-1)).toMatchObject({ state: 'dropped', reason: 'stopped' });
  });

  it('tells a drop that was refused with the next one, once', async () => {
    await firstDrop();
    refuse(130429, 429);
    await drain();
    await alerts.setPrice(itemKey, alerts.priceOf(itemKey) - 3_000);
    accept();
    alerts.passTime(HOUR);
    await drain();
    alerts.passTime(24 * HOUR);
    await drain();
    const told = alerts.messages().filter(({ kind, state }) => kind === 'drop' && state === 'accepted');
    expect(told).toHaveLength(1);
    expect(told[0]?.text).toContain(`drop to £${Math.round(alerts.priceOf(itemKey) / 100)}, from`);
  });

  it('lets the news of an older attempt change no newer one', async () => {
    await firstDrop();
    await drain();
    const first = String(
      alerts.parts.store.sql.get`select token from alert_attempt order by id desc limit 1`?.token,
    );
    await tell({ id: 'x', status: 'failed', biz_opaque_callback_data: first, errors: [{ code: 131049 }] });
    alerts.passTime(HOUR);
    await drain();
    expect(alerts.messages().at(-1)?.state).toBe('accepted');
    await tell({ id: 'y', status: 'delivered', biz_opaque_callback_data: first });
    expect(alerts.messages().at(-1)?.state).toBe('accepted');
  });
});

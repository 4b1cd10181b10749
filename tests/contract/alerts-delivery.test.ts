import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openAlertService } from '../../server/alerts/alert-service.ts';
import { settleAttempt } from '../../server/alerts/delivery/attempt-outcome.ts';
import { claimNext } from '../../server/alerts/delivery/claim-message.ts';
import { readPause } from '../../server/alerts/delivery/pauses.ts';
import type { SendContext } from '../../server/alerts/delivery/send-context.ts';
import type { SendOutcome } from '../../server/alerts/providers/message-provider.ts';
import { alertReport } from '../../server/alerts/status/alert-report.ts';
import type { AlertStore } from '../../server/alerts/tables/alert-store.ts';
import { STOPPED } from '../../server/alerts/texts/message-text.ts';
import { openInventoryWriter } from '../../server/ingest/open-inventory-writer.ts';
import { StoreUnavailable } from '../../server/lib/store-unavailable.ts';
import { dramaNumber } from '../fixtures/alerts/drama-numbers.ts';
import { metaSettings, signed, signedUpdate } from '../fixtures/alerts/meta-simulator.ts';
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
  const stateOf = async (index: number) => (await alerts.messages())[index]?.state;
  /** Queues a price drop for a watch that was confirmed. */
  async function firstDrop(): Promise<void> {
    await alerts.signUp(SOMEBODY, itemKey);
    await drain();
    await say('YES');
    alerts.passTime(6 * SECOND);
    await drain();
    alerts.passTime(6 * SECOND);
    await alerts.setPrice(itemKey, Math.floor((await alerts.priceOf(itemKey)) * 0.8));
  }

  it('applies statuses in any order, and never moves a message back to an earlier state', async () => {
    await alerts.signUp(SOMEBODY, itemKey);
    await drain();
    expect(await stateOf(0)).toBe('accepted');
    await tell({ id: 'm1', status: 'read', recipient_id: SOMEBODY });
    await tell({ id: 'm1', status: 'sent' }, { id: 'm1', status: 'delivered' });
    await tell({ id: 'm1', status: 'failed', errors: [{ code: 131026 }] });
    expect(await stateOf(0)).toBe('read');
  });

  it('sends a message once if the commit of its claim is not confirmed', async () => {
    await alerts.signUp(SOMEBODY, itemKey);
    const { database } = alerts.parts.store;
    const { write } = database;
    let isClaimed = false;
    database.write = async (lock, work, waitMs) => {
      const before = await stateOf(0);
      const result = await write(lock, work, waitMs);
      isClaimed ||= before === 'queued' && (await stateOf(0)) === 'sending';
      if (isClaimed) throw new StoreUnavailable();
      return result;
    };
    await expect(drain()).rejects.toThrow('cannot be reached');
    Object.assign(database, { write });
    expect(await stateOf(0)).toBe('sending');
    await drain();
    expect(await stateOf(0)).toBe('accepted');
    expect(stub.requests).toHaveLength(1);
  });

  it('never resends a message with an unknown outcome, and settles it when a status arrives', async () => {
    stub.answer = { status: 504, body: '{}' };
    await alerts.signUp(SOMEBODY, itemKey);
    await drain();
    expect(await stateOf(0)).toBe('unknown');
    accept();
    alerts.passTime(HOUR);
    await drain();
    expect(stub.requests).toHaveLength(1);
    const token = String((await alerts.parts.store.sql.get`select token from alert_message`)?.token);
    await tell({ id: 'm9', status: 'delivered', biz_opaque_callback_data: token });
    expect(await stateOf(0)).toBe('delivered');
  });

  it('marks an attempt as unknown when its lease expires', async () => {
    await alerts.signUp(SOMEBODY, itemKey);
    await drain();
    await alerts.parts.store.sql.run`update alert_message set state = 'sending'`;
    alerts.passTime(61 * SECOND);
    await drain();
    expect(await stateOf(0)).toBe('sending');
    alerts.passTime(2 * SECOND);
    await drain();
    expect(await stateOf(0)).toBe('unknown');
    expect(stub.requests).toHaveLength(1);
  });

  it('fails a message whose error code is final', async () => {
    refuse(131026);
    await alerts.signUp(SOMEBODY, itemKey);
    await drain();
    expect(await alerts.messages()).toMatchObject([{ state: 'failed', reason: '131026' }]);
  });

  it('retries a message that the provider delays, at increasing intervals, and drops it if the price has risen', async () => {
    await firstDrop();
    await drain();
    const failed = async () => {
      const token = String(
        (await alerts.parts.store.sql.get`select token from alert_message order by id desc limit 1`)?.token,
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
    alerts.passTime(HOUR / 4 + SECOND);
    await drain();
    expect(stub.requests).toHaveLength(calls + 1);
    await failed();
    alerts.passTime(5 * HOUR);
    await drain();
    expect(stub.requests).toHaveLength(calls + 1);
    await alerts.setPrice(itemKey, Math.floor((await alerts.priceOf(itemKey)) * 1.3));
    alerts.passTime(3 * HOUR);
    await drain();
    expect(stub.requests).toHaveLength(calls + 1);
    expect((await alerts.messages()).at(-1)).toMatchObject({
      state: 'dropped',
      reason: 'the price rose again',
    });
  });

  it('does not count slowdowns as retries of a delayed message', async () => {
    await firstDrop();
    for (let time = 0; time < 6; time += 1) {
      refuse(130429, 429);
      await drain();
      alerts.passTime(HOUR);
    }
    refuse(131049);
    await drain();
    expect(await stateOf(2)).toBe('queued');
    accept();
    alerts.passTime(1.25 * HOUR);
    await drain();
    expect(await stateOf(2)).toBe('accepted');
  });

  it('keeps messages in the queue while the provider’s URL is wrong', async () => {
    stub.answer = { status: 404, body: '<html>' };
    await alerts.signUp(SOMEBODY, itemKey);
    await drain();
    expect(await stateOf(0)).toBe('queued');
    expect(await alerts.service.readNotices(0)).toMatchObject([{ kind: 'circuit' }]);
    accept();
    alerts.passTime(5 * 60 * SECOND);
    await drain();
    expect(await stateOf(0)).toBe('accepted');
  });

  it('treats code 131050 as a STOP', async () => {
    await firstDrop();
    refuse(131050);
    await drain();
    expect((await alerts.parts.store.sql.get`select state from alert_watch`)?.state).toBe('paused');
    await alerts.signUp(SOMEBODY, alerts.itemKeys.at(-1) ?? '');
    expect((await alerts.messages()).filter(({ state }) => state === 'queued')).toEqual([]);
  });

  it.each([130429, 80007])('slows down on %i, and resends the rejected message', async (code) => {
    refuse(code, 429);
    await alerts.signUp(SOMEBODY, itemKey);
    await drain();
    expect(await stateOf(0)).toBe('queued');
    accept();
    await drain();
    expect(stub.requests).toHaveLength(1);
    alerts.passTime(7 * SECOND);
    await drain();
    expect(await stateOf(0)).toBe('accepted');
  });

  it('respects Retry-After', async () => {
    stub.answer = { status: 429, body: '', headers: { 'retry-after': '90' } };
    await alerts.signUp(SOMEBODY, itemKey);
    await drain();
    accept();
    alerts.passTime(89 * SECOND);
    await drain();
    expect(stub.requests).toHaveLength(1);
    alerts.passTime(SECOND);
    await drain();
    expect(await stateOf(0)).toBe('accepted');
  });

  it('does not resend a message that arrived after a failure was reported', async () => {
    await firstDrop();
    await drain();
    const told = (await alerts.messages()).length;
    const calls = stub.requests.length;
    const token = String(
      (await alerts.parts.store.sql.get`select token from alert_message order by id desc limit 1`)?.token,
    );
    await tell({ id: 'x', status: 'failed', biz_opaque_callback_data: token, errors: [{ code: 131049 }] });
    expect((await alerts.messages()).at(-1)?.state).toBe('queued');
    await tell({ id: 'x', status: 'read', biz_opaque_callback_data: token });
    expect((await alerts.messages()).at(-1)?.state).toBe('read');
    alerts.passTime(30 * HOUR);
    await alerts.setPrice(itemKey, (await alerts.priceOf(itemKey)) - 100);
    await drain();
    expect(stub.requests).toHaveLength(calls);
    expect(await alerts.messages()).toHaveLength(told);
  });

  it('asks again if the confirmation request was certainly not delivered', async () => {
    refuse(131026);
    await alerts.signUp(SOMEBODY, itemKey);
    await drain();
    accept();
    alerts.passTime(6 * SECOND);
    await alerts.signUp(SOMEBODY, alerts.itemKeys.at(-1) ?? '');
    await drain();
    expect(await alerts.messages()).toMatchObject([
      { kind: 'confirm', state: 'failed' },
      { kind: 'confirm', state: 'accepted' },
    ]);
  });

  it('tests the account immediately after a restart', { timeout: 60_000 }, async () => {
    refuse(190, 401);
    await alerts.signUp(SOMEBODY, itemKey);
    await drain();
    accept();
    alerts.passTime(7 * SECOND);
    const again = await openAlertService(
      { store: alerts.address, brandName: 'Skylark', config: alerts.config },
      alerts.now,
      () => {},
      openInventoryWriter,
    );
    await again.run();
    await vi.waitFor(async () => expect(await stateOf(0)).toBe('accepted'), 30_000);
    await again.service.stop();
  });

  it('slows down to only one number on 131056', async () => {
    refuse(131056);
    await alerts.signUp(SOMEBODY, itemKey);
    await drain();
    accept();
    await alerts.signUp(dramaNumber(1), itemKey);
    alerts.passTime(6 * SECOND);
    await drain();
    expect([await stateOf(0), await stateOf(1)]).toEqual(['queued', 'accepted']);
    alerts.passTime(6 * SECOND);
    await drain();
    expect(await stateOf(0)).toBe('accepted');
  });

  it.each([
    [131048, HOUR, 'pause'],
    [190, 5 * 60 * SECOND, 'account'],
    [131042, 5 * 60 * SECOND, 'account'],
  ])(
    'pauses all sending on %i, notifies the operator, then tests with one call',
    async (code, wait, reason) => {
      refuse(code);
      for (let index = 0; index < 5; index += 1) await alerts.signUp(dramaNumber(index), itemKey);
      await drain();
      const calls = stub.requests.length;
      expect((await alerts.messages()).every(({ state }) => state === 'queued')).toBe(true);
      expect(await alerts.service.readNotices(0)).toMatchObject([
        { kind: 'circuit', text: expect.stringContaining(`${reason} (${code})`) },
      ]);
      accept();
      alerts.passTime(wait - SECOND);
      await drain();
      expect(stub.requests).toHaveLength(calls);
      alerts.passTime(7 * SECOND + 2 * wait);
      refuse(code);
      await alerts.parts.dispatcher.sendDue();
      await drain();
      expect(stub.requests).toHaveLength(calls + 1);
      accept();
      // Until the next noon, because confirmation requests wait during quiet hours.
      alerts.passTime(21 * HOUR);
      await drain();
      alerts.passTime(SECOND);
      await drain();
      expect((await alerts.messages()).every(({ state }) => state === 'accepted')).toBe(true);
    },
  );

  it('asks a number again if its confirmation request was never sent', async () => {
    stub.answer = { status: 504, body: '' };
    await alerts.signUp(SOMEBODY, itemKey);
    await drain();
    expect(await stateOf(0)).toBe('unknown');
    accept();
    await alerts.signUp(SOMEBODY, alerts.itemKeys[1] ?? '');
    alerts.passTime(20 * 60 * SECOND);
    await drain();
    expect(stub.requests).toHaveLength(1);
    await alerts.signUp(SOMEBODY, alerts.itemKeys.at(-1) ?? '');
    await drain();
    await alerts.signUp(SOMEBODY, alerts.itemKeys[2] ?? '');
    alerts.passTime(20 * 60 * SECOND);
    await drain();
    expect(stub.requests).toHaveLength(2);
  });

  it('retries a message at increasing intervals while the provider responds with 503', async () => {
    stub.answer = { status: 503, body: '' };
    await alerts.signUp(SOMEBODY, itemKey);
    const calls: number[] = [];
    for (let minute = 0; minute < 30; minute += 1) {
      await drain();
      calls.push(stub.requests.length);
      alerts.passTime(60 * SECOND);
    }
    expect(await stateOf(0)).toBe('queued');
    expect(calls.slice(0, 2)).toEqual([1, 2]);
    expect(calls.at(-1)).toBeLessThan(8);
    accept();
    alerts.passTime(20 * 60 * SECOND);
    await drain();
    expect(await stateOf(0)).toBe('accepted');
  });

  it('does not resend a message that was reported as sent after a 503', async () => {
    stub.answer = { status: 503, body: '' };
    await alerts.signUp(SOMEBODY, itemKey);
    await drain();
    accept();
    const token = String((await alerts.parts.store.sql.get`select token from alert_message`)?.token);
    await tell({ id: 'm9', status: 'sent', biz_opaque_callback_data: token });
    expect(await stateOf(0)).toBe('accepted');
    alerts.passTime(HOUR);
    await drain();
    expect(stub.requests).toHaveLength(1);
  });

  it('delays the messages of a paused template, tries one, and sends the rest when it works', async () => {
    for (let index = 0; index < 20; index += 1) await alerts.watch(dramaNumber(index), itemKey);
    await alerts.parts.store.sql.run`delete from alert_message`;
    await alerts.setPrice(itemKey, Math.floor((await alerts.priceOf(itemKey)) * 0.8));
    refuse(132015);
    await drain();
    const calls = stub.requests.length;
    // A few messages are claimed before the first response.
    expect(calls).toBeLessThan(15);
    for (let hour = 0; hour < 4; hour += 1) {
      alerts.passTime(HOUR);
      await drain();
    }
    expect(stub.requests.length).toBeLessThanOrEqual(calls + 4);
    expect((await alerts.messages()).every(({ state }) => state === 'queued')).toBe(true);
    await alerts.signUp(dramaNumber(50), itemKey);
    accept();
    alerts.passTime(1.5 * HOUR);
    for (let second = 0; second < 10; second += 1) {
      await drain();
      alerts.passTime(SECOND);
    }
    expect((await alerts.messages()).every(({ state }) => state === 'accepted')).toBe(true);
  });

  it("delays and releases a template's messages when the provider reports its state", async () => {
    const notify = (event: string, time: number, language = 'en_GB') =>
      alerts.service.processWebhook(
        signedUpdate({
          entry: [
            {
              id: '1',
              time,
              changes: [
                {
                  field: 'message_template_status_update',
                  value: {
                    event,
                    message_template_id: 594425479261596,
                    message_template_name: 'confirm',
                    message_template_language: language,
                    reason: 'LOW QUALITY',
                  },
                },
              ],
            },
          ],
        }),
      );
    await notify('PAUSED', 1);
    await alerts.signUp(SOMEBODY, itemKey);
    await drain();
    expect(await alerts.messages()).toMatchObject([{ state: 'queued', reason: 'the template is held' }]);
    await notify('APPROVED', 2, 'de');
    await drain();
    expect(await stateOf(0)).toBe('queued');
    await notify('APPROVED', 3);
    await drain();
    expect(await stateOf(0)).toBe('accepted');
    await notify('REJECTED', 4, 'de');
    await alerts.signUp(dramaNumber(1), itemKey);
    await drain();
    expect(await stateOf(1)).toBe('accepted');
  });

  it('ends the watches of a number that has changed, and applies its stop to the new number', async () => {
    const changed = (from: string, to: string) =>
      alerts.service.processWebhook(
        signed({
          messages: [
            { id: `${from} ${to}`, from, type: 'system', system: { type: 'user_changed_number', wa_id: to } },
          ],
        }),
      );
    const watches = async () =>
      (await alerts.parts.store.sql.all`select state from alert_watch`).map(({ state }) => state);
    await firstDrop();
    await changed(SOMEBODY, dramaNumber(1));
    expect(await watches()).toEqual(['ended']);
    await drain();
    expect((await alerts.messages()).at(-1)).toMatchObject({
      state: 'dropped',
      reason: 'the number changed',
    });
    await alerts.signUp(dramaNumber(1), itemKey);
    expect((await alerts.messages()).at(-1)).toMatchObject({ kind: 'confirm', state: 'queued' });
    await say('STOP');
    await changed(SOMEBODY, dramaNumber(2));
    const queued = (await alerts.messages()).length;
    await alerts.signUp(dramaNumber(2), itemKey);
    expect(await alerts.messages()).toHaveLength(queued);
  });

  it('delays confirmation requests in quiet hours, unless the contact is writing', async () => {
    alerts.passTime(11 * HOUR);
    await alerts.signUp(SOMEBODY, itemKey);
    await drain();
    expect(stub.requests).toHaveLength(0);
    await say('hello');
    alerts.passTime(6 * SECOND);
    await alerts.signUp(dramaNumber(1), itemKey);
    await alerts.parts.store.sql.run`update alert_message set due_at = 0`;
    await drain();
    alerts.passTime(6 * SECOND);
    await drain();
    expect([await stateOf(0), await stateOf(1), await stateOf(2)]).toEqual([
      'accepted',
      'accepted',
      'queued',
    ]);
    alerts.passTime(11 * HOUR);
    await drain();
    expect(await stateOf(2)).toBe('accepted');
  });

  it('states when a delayed confirmation request will be sent, even to stopped people', async () => {
    expect(await alerts.signUp(SOMEBODY, itemKey)).toEqual({ kind: 'ok', waitsUntil: null });
    await alerts.service.processWebhook(
      signed({ messages: [{ id: 's', from: SOMEBODY, text: { body: 'stop' } }] }),
    );
    // 22:30 in London, then 23:00.
    alerts.passTime(9.5 * HOUR);
    expect(await alerts.signUp(dramaNumber(1), itemKey)).toEqual({ kind: 'ok', waitsUntil: null });
    alerts.passTime(0.5 * HOUR);
    for (const number of [SOMEBODY, dramaNumber(2)])
      expect(await alerts.signUp(number, itemKey)).toEqual({ kind: 'ok', waitsUntil: '7am' });
  });

  it('does not treat a person as writing if their message is hours old', async () => {
    alerts.passTime(11 * HOUR);
    await alerts.signUp(SOMEBODY, itemKey);
    const timestamp = String((alerts.now() - 3 * HOUR) / SECOND);
    const message = { id: 'late', from: SOMEBODY, timestamp, text: { body: 'hello' } };
    await alerts.service.processWebhook(signed({ messages: [message] }));
    await drain();
    expect((await alerts.messages()).map(({ kind, state }) => [kind, state])).toEqual([
      ['confirm', 'queued'],
      ['reply', 'queued'],
    ]);
  });

  it('stops calling a provider that does not respond', async () => {
    stub.answer = { status: 503, body: '' };
    for (let index = 0; index < 40; index += 1) await alerts.signUp(dramaNumber(index), itemKey);
    for (let second = 0; second < 20; second += 1) {
      await drain();
      alerts.passTime(SECOND);
    }
    expect(stub.requests.length).toBeLessThanOrEqual(15);
    expect(await alerts.service.readNotices(0)).toMatchObject([{ kind: 'circuit' }]);
  });

  describe('with calls in progress', () => {
    const context = (): SendContext<AlertStore> => ({
      ...alerts.parts,
      limits: alerts.config.sending,
      quietHours: alerts.config.quietHours,
      siteUrl: null,
      links: null,
      now: alerts.now,
    });
    const settle = (attempt: number | undefined, outcome: SendOutcome) =>
      settleAttempt(alerts.parts.store, alerts.parts.provider, attempt ?? 0, outcome, alerts.now());
    const unknown: SendOutcome = { kind: 'unknown', why: 'TimeoutError' };
    const tooMany: SendOutcome = { kind: 'rejected', code: '130429', retryAfterMs: null };
    /** Claims messages to this many numbers, without calling the provider. */
    async function claim(count: number, from = 0): Promise<number[]> {
      const attempts: number[] = [];
      for (let index = from; index < from + count; index += 1) {
        await alerts.signUp(dramaNumber(index), itemKey);
        alerts.passTime(SECOND);
        const claimed = await claimNext(context());
        if (claimed.kind === 'claimed') attempts.push(claimed.claim.attempt);
      }
      return attempts;
    }

    it('keeps the circuit closed if later calls get a response', async () => {
      const attempts = await claim(15);
      await settle(attempts.pop(), { kind: 'accepted', messageId: 'm1', userId: null, isDelivered: false });
      for (const attempt of attempts) await settle(attempt, unknown);
      expect(await alerts.service.readNotices(0)).toEqual([]);
    });

    it('opens the circuit after ten calls without a response, and again after a test call without one', async () => {
      const attempts = await claim(15);
      for (const attempt of attempts.slice(0, 10)) await settle(attempt, unknown);
      expect(await alerts.service.readNotices(0)).toHaveLength(1);
      for (const attempt of attempts.slice(10)) await settle(attempt, unknown);
      const until = (await readPause(alerts.parts.store, 'whatsapp')).until;
      alerts.passTime(until - alerts.now());
      const [tried] = await claim(1, 15);
      await settle(tried, unknown);
      expect((await readPause(alerts.parts.store, 'whatsapp')).until).toBeGreaterThan(alerts.now());
    });

    it.each<[string, SendOutcome, number, number[]]>([
      ['calls without an answer', unknown, 10, [30, 60, 120, 240, 480, 600, 600]],
      ['slowdowns', tooMany, 1, [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 51.2, 60, 60]],
      [
        'failures of the account',
        { kind: 'rejected', code: '190', retryAfterMs: null },
        1,
        [300, 600, 1_200, 2_400, 3_600, 3_600],
      ],
    ])(
      'doubles the pause with each probe that fails, up to its longest, after %s',
      async (_why, outcome, first, seconds) => {
        for (const attempt of await claim(first)) await settle(attempt, outcome);
        const pauses: number[] = [];
        for (const nth of seconds.keys()) {
          const pause = (await readPause(alerts.parts.store, 'whatsapp')).until - alerts.now();
          pauses.push(pause / SECOND);
          alerts.passTime(pause);
          const [probe] = await claim(1, first + nth);
          await settle(probe, outcome);
        }
        expect(pauses).toEqual(seconds);
      },
    );

    it('sends as before once a test call is accepted', async () => {
      for (const attempt of await claim(10)) await settle(attempt, unknown);
      alerts.passTime((await readPause(alerts.parts.store, 'whatsapp')).until - alerts.now());
      const [probe, ...others] = await claim(3, 10);
      expect(others).toEqual([]);
      await settle(probe, { kind: 'accepted', messageId: 'm1', userId: null, isDelivered: false });
      expect(await readPause(alerts.parts.store, 'whatsapp')).toMatchObject({
        isProbing: false,
        reason: null,
      });
      expect(await claim(3, 20)).toHaveLength(3);
    });

    it('counts calls without a response from the last response on, even if that was a rejection', async () => {
      const attempts = await claim(20);
      const rejected = attempts[9];
      for (const attempt of attempts.slice(0, 19))
        await settle(
          attempt,
          attempt === rejected ? { kind: 'rejected', code: '131026', retryAfterMs: null } : unknown,
        );
      expect(await alerts.service.readNotices(0)).toEqual([]);
      expect(await readPause(alerts.parts.store, 'whatsapp')).toMatchObject({
        isProbing: false,
        reason: null,
      });
      await settle(attempts[19], unknown);
      expect(await alerts.service.readNotices(0)).toMatchObject([{ kind: 'circuit' }]);
    });

    it('tests with one call after a slowdown, without waiting for earlier calls', async () => {
      const attempts = await claim(12);
      await settle(attempts.at(-1), tooMany);
      for (let index = 20; index < 40; index += 1) await alerts.signUp(dramaNumber(index), itemKey);
      expect((await claimNext(context())).kind).toBe('idle');
      let claimed = 0;
      for (let second = 0; second < 4; second += 1) {
        alerts.passTime(SECOND);
        while ((await claimNext(context())).kind === 'claimed') claimed += 1;
      }
      expect(claimed).toBe(1);
    });
  });

  it('respects the limits per second and per day', async () => {
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
    // Confirmation requests wait until the next morning's quiet hours have ended.
    alerts.passTime(21 * HOUR + SECOND);
    for (let second = 0; second < 10; second += 1) {
      alerts.passTime(SECOND);
      await drain();
    }
    expect(stub.requests).toHaveLength(120);
  });

  it('counts a refused call neither against the daily limit nor as a cost', async () => {
    const cost = async () =>
      (await alertReport(alerts.parts.store, { pencePerMessage: 4, pencePerMarketing: 6 })).days;
    const counted = async () =>
      Number((await alerts.parts.store.sql.get`select sum(count) as count from alert_sent`)?.count);
    for (const status of [429, 503]) {
      stub.answer = { status, body: '' };
      await alerts.signUp(dramaNumber(status), itemKey);
      await drain();
      expect([await counted(), await cost()]).toEqual([0, []]);
    }
    accept();
    alerts.passTime(HOUR);
    await drain();
    alerts.passTime(SECOND);
    await drain();
    expect(await counted()).toBe(2);
    expect(await cost()).toMatchObject([{ sent: 2, pence: 8 }]);
  });

  it('costs what the category in the status costs, and the report names a template that became marketing', async () => {
    const report = () => alertReport(alerts.parts.store, { pencePerMessage: 4, pencePerMarketing: 6 });
    await alerts.signUp(SOMEBODY, itemKey);
    await drain();
    const status = { id: 'm1', recipient_id: SOMEBODY };
    expect(await report()).toMatchObject({ days: [{ pence: 4 }], marketingTemplates: [] });
    await tell({
      ...status,
      status: 'sent',
      pricing: { billable: true, category: 'marketing', type: 'regular' },
    });
    expect(await report()).toMatchObject({ days: [{ pence: 6 }], marketingTemplates: ['confirm'] });
    await tell({
      ...status,
      status: 'read',
      pricing: { category: 'utility', type: 'free_customer_service' },
    });
    expect(await report()).toMatchObject({ days: [{ pence: 0 }], marketingTemplates: [] });
  });

  it.each([
    ['template_category_update', { message_template_name: 'drop', new_category: 'MARKETING' }, 'MARKETING'],
    ['account_update', { event: 'ACCOUNT_VIOLATION', violation_info: { violation_type: 'ADULT' } }, 'ADULT'],
    [
      'account_update',
      { event: 'ACCOUNT_RESTRICTION', restriction_info: [{ restriction_type: 'BIZ' }] },
      'BIZ',
    ],
    [
      'account_alerts',
      {
        alert_severity: 'CRITICAL',
        alert_type: 'OBA_APPROVED',
        alert_description: 'Look',
        entity_type: 'WABA',
      },
      'OBA_APPROVED, Look',
    ],
  ])('notifies the operator of an update: %s %o', async (field, value, words) => {
    await alerts.service.processWebhook(
      signedUpdate({ entry: [{ id: '1', time: 1, changes: [{ field, value }] }] }),
    );
    expect(await alerts.service.readNotices(0)).toMatchObject([{ text: expect.stringContaining(words) }]);
  });

  it('waits six seconds between two messages to one number', async () => {
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

  it('drops a rejected message if its number has stopped in the meantime', async () => {
    await firstDrop();
    refuse(130429, 429);
    await alerts.parts.dispatcher.sendDue();
    await say('STOP');
    accept();
    alerts.passTime(HOUR);
    await drain();
    expect((await alerts.messages()).find(({ kind }) => kind === 'drop')).toMatchObject({
      state: 'dropped',
      reason: 'stopped',
    });
    expect((await alerts.messages()).at(-1)).toMatchObject({ state: 'accepted', text: STOPPED });
  });

  it("sends a rejected price drop about a person's other alerts if the first has been stopped", async () => {
    const other = alerts.itemKeys.at(-1) ?? '';
    await alerts.signUp(SOMEBODY, itemKey);
    await alerts.signUp(SOMEBODY, other);
    await drain();
    await say('YES');
    alerts.passTime(6 * SECOND);
    await drain();
    alerts.passTime(6 * SECOND);
    await alerts.setPrice(itemKey, Math.floor((await alerts.priceOf(itemKey)) * 0.5));
    await alerts.setPrice(other, Math.floor((await alerts.priceOf(other)) * 0.9));
    refuse(130429, 429);
    await drain();
    const drop = async () => (await alerts.messages()).find(({ kind }) => kind === 'drop');
    const pounds = async (key: string) => `drop to £${Math.round((await alerts.priceOf(key)) / 100)}, from`;
    expect(await drop()).toMatchObject({
      state: 'queued',
      text: expect.stringContaining(await pounds(itemKey)),
    });
    await say('STOP 1');
    accept();
    for (const pause of [HOUR, 6 * SECOND]) {
      alerts.passTime(pause);
      await drain();
    }
    expect(await drop()).toMatchObject({
      state: 'accepted',
      text: expect.stringContaining(await pounds(other)),
    });
  });

  it('sends a rejected price drop only once, together with the next one', async () => {
    await firstDrop();
    refuse(130429, 429);
    await drain();
    await alerts.setPrice(itemKey, (await alerts.priceOf(itemKey)) - 3_000);
    accept();
    alerts.passTime(HOUR);
    await drain();
    alerts.passTime(24 * HOUR);
    await drain();
    const told = (await alerts.messages()).filter(
      ({ kind, state }) => kind === 'drop' && state === 'accepted',
    );
    expect(told).toHaveLength(1);
    expect(told[0]?.text).toContain(`drop to £${Math.round((await alerts.priceOf(itemKey)) / 100)}, from`);
  });

  it("does not change a newer attempt because of an older one's status", async () => {
    await firstDrop();
    await drain();
    const first = String(
      (await alerts.parts.store.sql.get`select token from alert_message order by id desc limit 1`)?.token,
    );
    await tell({ id: 'x', status: 'failed', biz_opaque_callback_data: first, errors: [{ code: 131049 }] });
    alerts.passTime(1.25 * HOUR);
    await drain();
    expect((await alerts.messages()).at(-1)?.state).toBe('accepted');
    await tell({ id: 'y', status: 'delivered', biz_opaque_callback_data: first });
    expect((await alerts.messages()).at(-1)?.state).toBe('accepted');
  });
});

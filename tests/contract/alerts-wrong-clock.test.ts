import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { retentionRuns } from '../../server/alerts/retention-runs.ts';
import { noticesAfter } from '../../server/alerts/tables/notices.ts';
import { clockGuard } from '../../server/storage/clock-guard.ts';
import { dramaNumber } from '../fixtures/alerts/drama-numbers.ts';
import { metaSettings, signed } from '../fixtures/alerts/meta-simulator.ts';
import { type ProviderStub, startProviderStub } from '../fixtures/alerts/provider-stub.ts';
import { openSmallAlerts, type SmallAlerts } from '../fixtures/alerts/small-alerts.ts';
import { STORE_KINDS } from '../fixtures/test-stores.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

for (const kind of STORE_KINDS) {
  describe(`Price alerts with a wrong clock, in the ${kind} store`, () => {
    let alerts: SmallAlerts;
    beforeEach(async () => {
      alerts = await openSmallAlerts({ store: kind });
      await alerts.watch(dramaNumber(1), alerts.itemKeys.at(-1) ?? '');
      await clockGuard(alerts.parts.store.database, { wall: alerts.now, steady: () => 0 })();
    });
    afterEach(() => alerts.close());

    const state = async () => (await alerts.parts.store.sql.get`select state from alert_watch`)?.state;

    function starts() {
      const lines: string[] = [];
      let steady = 0;
      const runs = retentionRuns(alerts.parts.store, {
        retentionDays: 30,
        now: alerts.now,
        clocks: { wall: alerts.now, steady: () => steady },
        log: (line) => lines.push(line),
      });
      return {
        lines,
        async look() {
          await runs().catch((error: unknown) => lines.push(String(error)));
        },
        pass(ms: number) {
          steady += ms;
          alerts.passTime(ms);
        },
      };
    }

    it('keep their watches when a server starts with a clock 400 days ahead', async () => {
      alerts.passTime(400 * DAY);
      const server = starts();
      for (let look = 0; look < 59; look += 1) {
        await server.look();
        server.pass(MINUTE);
      }
      expect(await state()).toBe('active');
      expect(server.lines).toEqual([
        expect.stringContaining('Clean-up is paused until it has been stable for an hour'),
      ]);
      expect(await noticesAfter(alerts.parts.store, 0)).toMatchObject([
        { kind: 'clock', text: server.lines[0] },
      ]);
      alerts.passTime(-400 * DAY);
      await server.look();
      expect(await state()).toBe('active');
    });

    it('end departed watches an hour after start if the server was off for long', async () => {
      alerts.passTime(400 * DAY);
      const server = starts();
      await server.look();
      expect(await state()).toBe('active');
      server.pass(61 * MINUTE);
      await server.look();
      expect(await state()).toBe('ended');
    });

    it('are cleaned up once an hour', async () => {
      const server = starts();
      await server.look();
      const { sql } = alerts.parts.store;
      await sql.run`insert into alert_event (event_key, at) values ('old', 1)`;
      const events = async () =>
        (await sql.all`select event_key from alert_event where event_key = 'old'`).length;
      for (let look = 0; look < 59; look += 1) await server.look();
      expect(await events()).toBe(1);
      await server.look();
      expect(await events()).toBe(0);
    });
  });

  describe(`The limits of sending after the clock was set back, in the ${kind} store`, () => {
    let alerts: SmallAlerts;
    let stub: ProviderStub;
    beforeEach(async () => {
      stub = await startProviderStub();
      stub.answer.body = '{"messages":[{"id":"m1"}]}';
      alerts = await openSmallAlerts({
        store: kind,
        variables: { ALERT_RATE: '1' },
        config: (config) => ({ ...config, provider: metaSettings(stub.url) }),
      });
    });
    afterEach(async () => {
      await alerts.close();
      await stub.close();
    });

    const signUp = (nth: number) => alerts.signUp(dramaNumber(nth), alerts.itemKeys.at(-1) ?? '');
    const waiting = async () => (await alerts.messages()).filter(({ state }) => state === 'queued').length;
    const drain = () => alerts.parts.dispatcher.drain();

    it('apply to the new time, without waiting until the clock has caught up', async () => {
      await signUp(1);
      await drain();
      alerts.passTime(-60 * MINUTE);
      for (const nth of [2, 3]) await signUp(nth);
      await drain();
      expect(await waiting()).toBe(1);
      alerts.passTime(1_000);
      await drain();
      expect(await waiting()).toBe(0);
    });

    it('do not count messages sent earlier at the same clock time', async () => {
      for (let nth = 1; nth <= 6; nth += 1) {
        await signUp(nth);
        await drain();
        alerts.passTime(1_000);
      }
      expect(await waiting()).toBe(0);
      alerts.passTime(-5_000);
      await signUp(7);
      await drain();
      expect(await waiting()).toBe(0);
    });

    it('allow a number its next message, but not two together', async () => {
      const itemKey = alerts.itemKeys.at(-1) ?? '';
      const say = (text: string) =>
        alerts.service.processWebhook(
          signed({ messages: [{ id: text, from: dramaNumber(1), text: { body: text } }] }),
        );
      await alerts.signUp(dramaNumber(1), itemKey);
      await drain();
      alerts.passTime(-60 * MINUTE);
      await say('LIST');
      await drain();
      expect(await waiting()).toBe(0);
      await say('HELP');
      await drain();
      expect(await waiting()).toBe(1);
      alerts.passTime(6_000);
      await drain();
      expect(await waiting()).toBe(0);
    });
  });
}

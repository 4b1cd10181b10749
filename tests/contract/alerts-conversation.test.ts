import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAX_REPLIES_PER_DAY } from '../../server/alerts/inbound/replies.ts';
import { ASK_DELETE, ASK_STOP, ERASED, KEPT, STOPPED } from '../../server/alerts/texts/message-text.ts';
import { dramaNumber } from '../fixtures/alerts/drama-numbers.ts';
import { type MetaSimulator, startMetaSimulator } from '../fixtures/alerts/meta-simulator.ts';
import { openSmallAlerts, type SmallAlerts, SOMEBODY } from '../fixtures/alerts/small-alerts.ts';
import { STORE_KINDS } from '../fixtures/test-stores.ts';

const HOUR = 3_600_000;
const NOON = 1_780_000_000;

describe.each(STORE_KINDS)('A conversation with a contact, in the %s store', (store) => {
  let simulator: MetaSimulator;
  let alerts: SmallAlerts;
  let first: string;
  let second: string;
  let messages = 0;
  beforeEach(async () => {
    simulator = await startMetaSimulator({ seed: 1, faulty: false });
    alerts = await openSmallAlerts({
      store,
      variables: { ALERT_DAILY_MESSAGES: '30', ALERT_QUIET_HOURS: 'none' },
      config: (config) => ({
        ...config,
        provider: simulator.settings,
        sending: { ...config.sending, numberEveryMs: 0, pencePerDay: 0 },
      }),
    });
    first = alerts.itemKeys[0] ?? '';
    second = alerts.itemKeys.at(-1) ?? '';
  });
  afterEach(async () => {
    await alerts.close();
    await simulator.close();
  });

  const drain = async () => {
    await alerts.parts.dispatcher.drain();
    // Passes the limit per second.
    alerts.passTime(1_100);
    await alerts.parts.dispatcher.drain();
  };
  /** Delivers a message that was sent `seconds` after noon. */
  const hear = async (message: object, seconds: number | null, from = SOMEBODY) => {
    messages += 1;
    const time = seconds === null ? {} : { timestamp: String(NOON + seconds) };
    await alerts.service.processWebhook(simulator.inbound({ id: `m${messages}`, from, ...time, ...message }));
    await drain();
  };
  const say = (text: string, seconds: number | null = null, from = SOMEBODY) =>
    hear({ type: 'text', text: { body: text } }, seconds, from);
  const press = (payload: string, title = 'A button') =>
    hear({ type: 'interactive', interactive: { button_reply: { id: payload, title } } }, null);
  const texts = (number = SOMEBODY) =>
    simulator.calls.filter((call) => call.number === number).map(({ text }) => text);
  const lastText = () => texts().at(-1);
  const states = () =>
    alerts.parts.store.sql.all`select state from alert_watch order by id`.map(({ state }) => state);
  const signUp = async (itemKey = first) => {
    await alerts.signUp(SOMEBODY, itemKey);
    await drain();
  };

  it('replies to STOP once', async () => {
    await signUp();
    await say('YES');
    await say('turn off alerts');
    expect(lastText()).toBe(STOPPED);
    expect(STOPPED).toBe("You're unsubscribed. You won't hear from us again.");
    expect(states()).toEqual(['ended']);
    const before = simulator.calls.length;
    await say('STOP');
    await say('LIST');
    await say('help');
    expect(simulator.calls).toHaveLength(before);
  });

  it('replies after a stop only to START, not to a stranger’s sign-up and an ok', async () => {
    await signUp();
    await say('YES', 1);
    await say('STOP', 10);
    const before = simulator.calls.length;
    await signUp(second);
    await say('ok', 20);
    await say('yes please', 30);
    expect(simulator.calls).toHaveLength(before);
    expect(states()).toEqual(['ended', 'asked']);
    await say('START', 40);
    expect(simulator.calls).toHaveLength(before + 1);
  });

  it('does not lift a stop because of a START that was sent before it but arrives after it', async () => {
    await signUp();
    await say('YES', 1);
    await say('STOP', 20);
    const before = simulator.calls.length;
    await say('START', 10);
    await say('START', 20);
    await say('LIST', 30);
    expect(simulator.calls).toHaveLength(before);
    await say('START', 21);
    expect(simulator.calls).toHaveLength(before + 1);
  });

  it('ignores a STOP that was sent before a START but arrives after it', async () => {
    await signUp();
    await say('YES', 1);
    await say('STOP', 10);
    await say('START', 30);
    await signUp(second);
    await say('YES', 40);
    await say('stop', 20);
    expect(states()).toEqual(['ended', 'active']);
    expect(lastText()).not.toBe(STOPPED);
    await say('stop', 50);
    expect(states()).toEqual(['ended', 'ended']);
  });

  it('asks with two buttons when a message may be a stop, and follows the reply', async () => {
    await signUp();
    await say('YES');
    await say('too many messages');
    expect(lastText()).toContain(ASK_STOP);
    expect(states()).toEqual(['active']);
    await press('keep');
    expect(lastText()).toContain(KEPT);
    await say('too many messages');
    await say('yes');
    expect(lastText()).toBe(STOPPED);
    expect(states()).toEqual(['ended']);
  });

  it('reads a button by its payload, even under another title', async () => {
    await signUp();
    await say('YES');
    await press('STOP', 'Great deal');
    expect(states()).toEqual(['ended']);
  });

  it('ends a watch by its button, and shows a holiday by another button', async () => {
    await signUp();
    await signUp(second);
    await say('YES');
    await press('see:2', 'See it');
    expect(lastText()).toMatch(/£\d+ now\./);
    await press('stop:1', 'Stop this one');
    expect(states()).toEqual(['ended', 'active']);
    await say('stop this one');
    expect(states()).toEqual(['ended', 'ended']);
  });

  it('reads NO to the confirmation request as a stop', async () => {
    await signUp();
    await say('No thanks');
    expect(lastText()).toBe(STOPPED);
    expect(states()).toEqual(['ended']);
  });

  it('replies to every request for help', async () => {
    await signUp();
    await say('YES');
    await say('help');
    await say('who is this?');
    expect(texts().filter((text) => text?.includes('an automated service'))).toHaveLength(2);
  });

  it('limits the replies to a number, without using up the budget for alerts', async () => {
    const flooders = [SOMEBODY, dramaNumber(5)];
    await alerts.signUp(flooders[1] ?? '', first);
    await signUp();
    for (const phone of flooders) await say('YES', null, phone);
    for (let count = 0; count < 40; count += 1) for (const phone of flooders) await say('LIST', null, phone);
    for (const phone of flooders)
      expect(texts(phone).filter((text) => text !== null)).toHaveLength(MAX_REPLIES_PER_DAY.all);
    // Two confirmation requests are sent, so the budget of 30 has room for 28 more.
    for (let index = 0; index < 40; index += 1) await alerts.signUp(dramaNumber(100 + index), first);
    await drain();
    const templates = () => simulator.calls.filter(({ text }) => text === null).length;
    expect(templates()).toBe(30);
    // STOP gets a reply even if the budget is spent.
    await say('STOP');
    expect(lastText()).toBe(STOPPED);
    alerts.passTime(15 * HOUR);
    await drain();
    expect(templates()).toBeGreaterThan(30);
  });

  it('obeys every STOP and START, but replies only to a few of them a day', async () => {
    await signUp();
    await say('YES');
    for (let count = 0; count < 20; count += 1) {
      await say('STOP');
      expect(states()).toEqual(['ended']);
      await say('START');
    }
    expect(texts().filter((text) => text === STOPPED)).toHaveLength(MAX_REPLIES_PER_DAY.stop);
    await say('STOP');
    const { sql } = alerts.parts.store;
    expect(sql.all`select * from alert_suppression`).toHaveLength(1);
  });

  it('replies to a question about data with the privacy notice, and deletes nothing', async () => {
    await signUp();
    await say('YES');
    await say('Are you GDPR compliant?');
    expect(lastText()).toContain('/my-alerts?token=');
    expect(lastText()).toContain('/privacy');
    expect(states()).toEqual(['active']);
  });

  it('deletes data only if the latest question is answered with yes', async () => {
    await signUp();
    await say('YES');
    await say('delete my data');
    await say('LIST');
    await say('yes');
    await say('forget me');
    await say('no');
    expect(lastText()).toContain(KEPT);
    await say('delete my data');
    alerts.passTime(HOUR + 1);
    await press('delete');
    expect(lastText()).toBe(ASK_DELETE);
    expect(states()).toEqual(['active']);
  });

  it('replies to a stopped contact who asks for deletion', async () => {
    await signUp();
    await say('STOP');
    await say('delete my data');
    expect(lastText()).toBe(ASK_DELETE);
    await say('YES');
    expect(lastText()).toBe(ERASED);
    expect(states()).toEqual([]);
  });

  it('confirms a new watch by YES even while an older question is open', async () => {
    await signUp();
    await say('YES');
    await say('just booked it, thanks!');
    expect(lastText()).toContain(ASK_STOP);
    alerts.passTime(1_000);
    await signUp(second);
    await say('YES');
    expect(states()).toEqual(['active', 'active']);
  });

  it('closes an open question if a contact signs up again for a holiday that they already watch', async () => {
    await signUp();
    await say('YES');
    await say('just booked it, thanks!');
    expect(lastText()).toContain(ASK_STOP);
    alerts.passTime(1_000);
    await signUp();
    await say('YES');
    expect(states()).toEqual(['active']);
  });

  it('starts an unconfirmed watch on YES if the contact signed up for it again after our question', async () => {
    await signUp();
    await say('just booked it, thanks!');
    expect(lastText()).toContain(ASK_STOP);
    alerts.passTime(1_000);
    await signUp();
    await say('YES');
    expect(states()).toEqual(['active']);
  });

  it('does not read the YES of an older button as the answer to a question', async () => {
    await signUp();
    await say('YES');
    await say('delete my data');
    await press('yes');
    expect(states()).toEqual(['active']);
  });

  it('lets a question expire after an hour', async () => {
    await signUp();
    await say('YES');
    await say('just booked it, thanks!');
    alerts.passTime(HOUR + 1);
    await say('YES');
    expect(states()).toEqual(['active']);
  });

  it('ends the watch that a stop names, and asks if it names no known watch', async () => {
    await signUp();
    await signUp(second);
    await say('YES');
    await say('cancel the Malta alert');
    expect(lastText()).toContain(ASK_STOP);
    expect(lastText()).toContain('1. Hotel');
    expect(states()).toEqual(['active', 'active']);
    await say('2');
    expect(states()).toEqual(['active', 'ended']);
    await say('stop alerts for Benidorm');
    expect(states()).toEqual(['ended', 'ended']);
    expect(alerts.parts.store.sql.all`select * from alert_suppression`).toEqual([]);
  });

  it('replies to a stop at night with the quiet hours and a question', async () => {
    await alerts.close();
    alerts = await openSmallAlerts({
      store,
      config: (config) => ({
        ...config,
        provider: simulator.settings,
        sending: { ...config.sending, numberEveryMs: 0 },
      }),
    });
    await signUp();
    await say('YES');
    await say('please stop texting at night');
    expect(lastText()).toContain("We don't send alerts between 9pm and 8am.");
    expect(lastText()).toContain(ASK_STOP);
    expect(states()).toEqual(['active']);
  });

  it('deletes everything once a contact has confirmed it', async () => {
    await signUp();
    await say('YES');
    await say('delete my data');
    expect(lastText()).toBe(ASK_DELETE);
    expect(states()).toEqual(['active']);
    await press('delete');
    expect(lastText()).toBe(ERASED);
    const { sql } = alerts.parts.store;
    expect(sql.all`select * from alert_watch`).toEqual([]);
    expect(sql.all`select * from alert_consent`).toEqual([]);
    alerts.passTime(2 * HOUR);
    const { deleteExpiredRecords } = await import('../../server/alerts/tables/retention.ts');
    await deleteExpiredRecords(alerts.parts.store, 30, alerts.now());
    expect(sql.all`select * from alert_contact`).toEqual([]);
    expect(sql.all`select * from alert_message`).toEqual([]);
    expect(sql.all`select * from alert_suppression`).toHaveLength(1);
  });
});

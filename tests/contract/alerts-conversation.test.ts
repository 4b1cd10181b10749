import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAX_REPLIES_PER_DAY } from '../../server/alerts/inbound/replies.ts';
import { NOT_ON_SALE, STOPPED } from '../../server/alerts/texts/message-text.ts';
import { dramaNumber } from '../fixtures/alerts/drama-numbers.ts';
import { type MetaSimulator, startMetaSimulator } from '../fixtures/alerts/meta-simulator.ts';
import { openSmallAlerts, type SmallAlerts, SOMEBODY } from '../fixtures/alerts/small-alerts.ts';
import { NOW } from '../fixtures/small-inventory.ts';
import { STORE_KINDS } from '../fixtures/test-stores.ts';

const HOUR = 3_600_000;
const NOON = NOW / 1_000;

describe.each(STORE_KINDS)('A conversation with a contact, in the %s store', (store) => {
  let simulator: MetaSimulator;
  let alerts: SmallAlerts;
  let first: string;
  let second: string;
  let messages = 0;
  beforeEach(async () => {
    simulator = await startMetaSimulator({ seed: 1 });
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
  const watches = () =>
    alerts.parts.store.sql.all`select state, item_key, started from alert_watch order by id`;
  const states = async () => (await watches()).map(({ state }) => state);
  const linkTo = (text: string | null | undefined) =>
    /https?:\S+\/my-alerts\?token=\S+/.exec(text ?? '')?.[0];
  const signUp = async (itemKey = first) => {
    await alerts.signUp(SOMEBODY, itemKey);
    await drain();
  };

  /** Two confirmed watches, in Benidorm and in Old Town. */
  const watchTwo = async () => {
    await signUp();
    await signUp(second);
    await say('YES');
    expect(await states()).toEqual(['active', 'active']);
  };

  const BOTH = ['active', 'active'];
  const PAUSED = ['paused', 'paused'];

  /** What a person with two alerts writes, the alerts' states then, and what the answer contains, if there is one. */
  const REPLIES: [text: string, states: string[], answer: string | null][] = [
    ['stop', PAUSED, STOPPED],
    ['please stop until further notice', PAUSED, 'START brings them back'],
    ["don't stop!", PAUSED, 'START brings them back'],
    ['why did you stop', PAUSED, 'START brings them back'],
    ['STOP - only joking, keep em coming', PAUSED, 'START brings them back'],
    ['unsubscribe from Corfu', PAUSED, STOPPED],
    ['stop texting me about Benidorm, the other is fine', PAUSED, STOPPED],
    ['przestań', PAUSED, STOPPED],
    ['STOP 2', ['active', 'ended'], "We've stopped alert 2. START 2 brings it back."],
    ['STOP 9', BOTH, "You don't have alert 9."],
    ['not interested in that hotel, got anything cheaper?', BOTH, 'automated service'],
    ['who is this?', BOTH, 'automated service'],
    ['LIST', BOTH, '2. Hotel'],
    ['delete my data', BOTH, '/my-alerts?token='],
    ['I meant delete the alert, not my data', BOTH, '/my-alerts?token='],
    ['are you GDPR compliant?', BOTH, '/my-alerts?token='],
    ['SAR please', BOTH, '/my-alerts?token='],
    ['cheers', BOTH, null],
    ['just booked it, thanks!', BOTH, null],
    ['👍', BOTH, null],
    ['', BOTH, null],
    ['YES', BOTH, null],
    ['START', BOTH, "You're watching:"],
  ];

  it('follows what a person with two alerts writes, and START brings everything back', async () => {
    await watchTwo();
    const before = await states();
    for (const [text, expected, answer] of REPLIES) {
      const sent = texts().length;
      await say(text);
      expect(await states(), text).toEqual(expected);
      expect(texts().length - sent, text).toBe(answer === null ? 0 : 1);
      if (answer !== null) expect(lastText()).toContain(answer);
      expect(lastText()?.length).toBeLessThanOrEqual(1_024);
      await say(expected.includes('ended') ? 'START 2' : 'START');
      expect(await states()).toEqual(before);
      // Passes the daily limit on replies.
      alerts.passTime(24 * HOUR);
    }
  });

  it('pauses what waits for YES too, and asks for the YES again by START', async () => {
    await signUp();
    await say('STOP', 10);
    expect(await states()).toEqual(['paused']);
    await say('YES', 20);
    expect(await states()).toEqual(['paused']);
    await say('START', 30);
    expect(await states()).toEqual(['asked']);
    await say('YES', 40);
    expect(await states()).toEqual(['active']);
  });

  it('brings watches back with the time since which drops count', async () => {
    await watchTwo();
    const before = await watches();
    await say('leave me alone', 10);
    await say('START', 20);
    expect(await watches()).toEqual(before);
  });

  it('does not bring back a watch whose holiday has departed', async () => {
    await watchTwo();
    await say('STOP');
    await alerts.parts.store.sql.run`update alert_watch set departs_at = ${alerts.now()} where number = 1`;
    await say('START');
    expect(await states()).toEqual(['paused', 'active']);
    expect(lastText()).not.toContain('1. Hotel');
  });

  it('answers every stop, also the tenth of a day', async () => {
    await watchTwo();
    for (let count = 0; count < 10; count += 1) await say('STOP');
    for (let count = 0; count < 10; count += 1) {
      await say('START');
      await say('STOP');
    }
    expect(texts().filter((text) => text === STOPPED)).toHaveLength(20);
    expect(await states()).toEqual(PAUSED);
  });

  it('answers stops that arrive together once', async () => {
    await watchTwo();
    const stops = ['a', 'b', 'c'].map((id) =>
      simulator.inbound({ id, from: SOMEBODY, type: 'text', text: { body: 'STOP' } }),
    );
    await Promise.all(stops.map((stop) => alerts.service.processWebhook(stop)));
    await drain();
    expect(texts().filter((text) => text === STOPPED)).toHaveLength(1);
  });

  it('replies after a stop only to START and STOP, not to a stranger’s sign-up and an ok', async () => {
    await signUp();
    await say('YES', 1);
    await say('STOP', 10);
    const before = simulator.calls.length;
    await signUp(second);
    await say('ok', 20);
    await say('yes please', 30);
    await say('who is this?', 31);
    expect(simulator.calls).toHaveLength(before);
    expect(await states()).toEqual(['paused', 'asked']);
    await say('START', 40);
    expect(await states()).toEqual(['active', 'asked']);
    // The list, and the question about the stranger's sign-up.
    expect(simulator.calls).toHaveLength(before + 2);
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
    expect(await states()).toEqual(['paused']);
    await say('START', 21);
    expect(simulator.calls).toHaveLength(before + 1);
    expect(await states()).toEqual(['active']);
  });

  it('ignores a STOP that was sent before a START but arrives after it', async () => {
    await watchTwo();
    await say('STOP', 10);
    await say('START', 30);
    await say('stop', 20);
    expect(await states()).toEqual(BOTH);
    expect(lastText()).not.toBe(STOPPED);
    await say('stop', 50);
    expect(await states()).toEqual(PAUSED);
  });

  it.each(['YES', 'NO'])('counts %s only if it was written after our question was sent', async (text) => {
    await signUp();
    await say(text, -60);
    expect(await states()).toEqual(['asked']);
    await say(text, 5);
    expect(await states()).toEqual([text === 'YES' ? 'active' : 'ended']);
  });

  it('does not start a watch by a YES that was written before the person signed up for it', async () => {
    await signUp();
    alerts.passTime(60_000);
    await signUp(second);
    await say('YES', 5);
    expect(await states()).toEqual(['active', 'asked']);
    await say('YES', 100);
    expect(await states()).toEqual(BOTH);
  });

  it('counts no YES that follows an answered question, before the next one is sent', async () => {
    await signUp();
    await say('YES', 5);
    alerts.passTime(90_000);
    await alerts.signUp(SOMEBODY, second);
    await say('YES', 95);
    expect(await states()).toEqual(['active', 'asked']);
    await say('YES', 200);
    expect(await states()).toEqual(BOTH);
  });

  it('ends by NO what waits for YES, and nothing else', async () => {
    await signUp();
    await say('YES');
    await signUp(second);
    await say('No thanks');
    expect(await states()).toEqual(['active', 'ended']);
    expect(lastText()).toContain('START 2');
    await say('START 2');
    expect(await states()).toEqual(BOTH);
  });

  it('brings back only the alerts that START names', async () => {
    await watchTwo();
    await say('STOP');
    await say('START 2');
    expect(await states()).toEqual(['paused', 'active']);
    expect(lastText()).toContain('Paused: alert 1.');
    await say('START 2');
    await say('START');
    expect(await states()).toEqual(BOTH);
  });

  it('ends one alert by its button, and shows a holiday by another button', async () => {
    await watchTwo();
    await alerts.setPrice(second, Math.floor((await alerts.priceOf(second)) * 0.8));
    await drain();
    const message = (await alerts.messages()).find(({ kind }) => kind === 'drop')?.id;
    await press(`see:${message}`, 'See it');
    expect(lastText()).toContain(`£${Math.round((await alerts.priceOf(second)) / 100)} now, `);
    await press('see:999', 'See it');
    expect(lastText()).toContain(NOT_ON_SALE);
    await press('stop:1', 'Stop this one');
    expect(await states()).toEqual(['ended', 'active']);
    await say('STOP');
    await say('stop 2');
    expect(lastText()).toContain('stay paused');
    expect(await states()).toEqual(['ended', 'ended']);
    await press('STOP', 'Great deal');
    expect(lastText()).toBe(STOPPED);
  });

  it('sends one line a day to messages that ask for nothing it knows', async () => {
    await watchTwo();
    const sent = texts().length;
    for (const text of ['lovely pool?', 'is it far?', 'what about Crete', 'no']) await say(text);
    expect(texts()).toHaveLength(sent + 1);
    alerts.passTime(24 * HOUR);
    await say('is it far?');
    expect(texts()).toHaveLength(sent + 2);
    expect(linkTo(lastText())).toBeDefined();
  });

  it('sends a stopped person the link to their data', async () => {
    await signUp();
    await say('STOP');
    await say('delete my data');
    expect(linkTo(lastText())).toBeDefined();
    expect(await states()).toEqual(['paused']);
  });

  it('fits a long list into a message with buttons, with a link to the others', async () => {
    for (const itemKey of alerts.itemKeys.slice(0, 14)) await alerts.signUp(SOMEBODY, itemKey);
    await drain();
    await say('YES');
    await say('LIST');
    expect(lastText()?.length).toBeLessThanOrEqual(1_024);
    expect(lastText()).toMatch(/and \d+ more: https?:\S+\/my-alerts\?token=/);
    expect(lastText()?.match(/my-alerts/g)).toHaveLength(1);
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
});

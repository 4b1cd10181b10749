import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { STOPPED } from '../../server/alerts/texts/message-text.ts';
import { dramaNumber } from '../fixtures/alerts/drama-numbers.ts';
import { signUpBody } from '../fixtures/alerts/sign-up-body.ts';
import { openSmallAlerts, type SmallAlerts, SOMEBODY } from '../fixtures/alerts/small-alerts.ts';
import { ALL_STORE_KINDS } from '../fixtures/shared-store-kinds.ts';
import { REFERENCE } from '../fixtures/small-inventory.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe.each(ALL_STORE_KINDS)('Watching a package, in the %s store', (store) => {
  let alerts: SmallAlerts;
  let watched: string;
  beforeEach(async () => {
    alerts = await openSmallAlerts({ store });
    watched = aloneIn(alerts);
  });
  afterEach(() => alerts.close());

  const drain = () => alerts.parts.dispatcher.drain();
  const drops = async () => (await alerts.messages()).filter(({ kind }) => kind === 'drop');
  const sent = async () => (await drops()).filter(({ state }) => state === 'delivered').length;
  const lower = async (percent: number) => {
    await alerts.setPrice(watched, Math.floor(((await alerts.priceOf(watched)) * (100 - percent)) / 100));
    await drain();
  };

  it('asks for confirmation, and starts on YES', async () => {
    expect(await alerts.signUp(SOMEBODY, watched)).toMatchObject({ kind: 'ok' });
    await drain();
    const [asked] = await alerts.messages();
    expect(asked).toMatchObject({ kind: 'confirm', state: 'delivered' });
    expect(asked?.text).toMatch(/^This is Skylark\. .+\n\n.+ Reply YES .+ Reply STOP/s);
    await lower(20);
    expect(await drops()).toEqual([]);

    await alerts.say(SOMEBODY, 'yes please');
    expect((await alerts.messages()).at(-1)).toMatchObject({ kind: 'reply', state: 'delivered' });
    const was = await alerts.priceOf(watched);
    await lower(10);
    expect(await sent()).toBe(1);
    expect((await drops())[0]?.text).toContain(
      `drop to £${Math.round((was * 0.9) / 100)}, from £${Math.round(was / 100)}:`,
    );
  });

  it('starts immediately if configured, with a message that names the sender and how to stop', async () => {
    const direct = await openSmallAlerts({ store, variables: { ALERT_CONFIRMATION: 'none' } });
    await direct.signUp(SOMEBODY, watched);
    await direct.parts.dispatcher.drain();
    expect(await direct.messages()).toMatchObject([
      { kind: 'welcome', text: expect.stringMatching(/This is Skylark.+STOP/s) },
    ]);
    await direct.setPrice(watched, Math.floor((await direct.priceOf(watched)) * 0.8));
    await direct.parts.dispatcher.drain();
    expect((await direct.messages())[1]).toMatchObject({ kind: 'drop', state: 'delivered' });
    await direct.close();
  });

  it('takes no reference from before a price moved more than threefold', async () => {
    await alerts.watch(SOMEBODY, watched);
    await alerts.setPrice(watched, Math.floor((await alerts.priceOf(watched)) * 0.98));
    for (const factor of [0.1, 0.99, 1.5, 10, 0.1]) {
      await alerts.setPrice(watched, Math.floor((await alerts.priceOf(watched)) * factor));
      await drain();
    }
    expect(await drops()).toEqual([]);
    await lower(20);
    expect(await sent()).toBe(1);
  });

  it('ignores a repeated sign-up of a number for a package', async () => {
    for (const phone of [SOMEBODY, '07700 900123', '+44 (7700) 900-123']) {
      expect(await alerts.signUp(phone, watched)).toMatchObject({ kind: 'ok' });
    }
    await drain();
    expect(await alerts.messages()).toHaveLength(1);
    expect((await alerts.parts.store.sql.get`select count(*) as count from alert_consent`)?.count).toBe(1);
  });

  it('asks a number once, even if it signs up for several packages', async () => {
    const [, other = ''] = alerts.itemKeys;
    await alerts.signUp(SOMEBODY, watched);
    await alerts.signUp(SOMEBODY, other);
    await drain();
    alerts.passTime(8 * DAY);
    await alerts.signUp(SOMEBODY, alerts.itemKeys.at(-1) ?? '');
    await drain();
    expect((await alerts.messages()).map(({ kind }) => kind)).toEqual(['confirm']);
    await alerts.say(SOMEBODY, 'YES');
    expect((await alerts.messages()).at(-1)?.text).toMatch(/1\. .+\n2\. .+\n3\. /);
  });

  it('records the consent, its wording and its time', async () => {
    await alerts.watch(SOMEBODY, watched);
    const kept = await alerts.parts.store.sql
      .all`select act, wording, wording_version, at from alert_consent order by id`;
    const words = 'By continuing, you agree to receive alerts via WhatsApp. You can stop them at any time.';
    expect(kept).toMatchObject([
      { act: 'signed up', wording: words, wording_version: 1, at: alerts.now() },
      { act: 'confirmed' },
    ]);
  });

  it('sends no alert for a small drop, but adds small drops up', async () => {
    await alerts.watch(SOMEBODY, watched);
    await lower(3);
    expect(await sent()).toBe(0);
    await lower(3);
    expect(await sent()).toBe(1);
  });

  it('sends another alert for a deeper drop, and for a drop after a rise', async () => {
    await alerts.watch(SOMEBODY, watched);
    await lower(10);
    alerts.passTime(DAY);
    await lower(4);
    expect(await sent()).toBe(1);
    await lower(4);
    expect(await sent()).toBe(2);
    alerts.passTime(DAY);
    await lower(-20);
    await lower(8);
    expect(await sent()).toBe(3);
  });

  it('sends at most one alert a day to a number, even if it has several watches', async () => {
    const others = apartFrom(alerts, watched);
    await alerts.watch(SOMEBODY, watched);
    await alerts.watch(SOMEBODY, others);
    await lower(10);
    await alerts.setPrice(others, Math.floor((await alerts.priceOf(others)) * 0.8));
    await drain();
    expect((await drops()).map(({ state }) => state)).toEqual(['delivered', 'queued']);
    alerts.passTime(DAY);
    await drain();
    expect((await drops()).map(({ state }) => state)).toEqual(['delivered', 'delivered']);
  });

  it('waits until morning, and drops the alert if the price has risen again', async () => {
    await alerts.watch(SOMEBODY, watched);
    alerts.passTime(10 * HOUR);
    await lower(10);
    expect(await drops()).toMatchObject([{ state: 'queued' }]);
    await lower(-20);
    alerts.passTime(10 * HOUR);
    await drain();
    expect(await drops()).toMatchObject([{ state: 'dropped', reason: 'the price rose again' }]);
    // The unsent drop does not change the price that drops are measured from.
    await lower(5);
    expect(await sent()).toBe(1);
  });

  it('sends an alert in the morning if the price drop still exists', async () => {
    await alerts.watch(SOMEBODY, watched);
    alerts.passTime(10 * HOUR);
    await lower(10);
    alerts.passTime(9 * HOUR - 1);
    await drain();
    expect(await sent()).toBe(0);
    alerts.passTime(HOUR + 1);
    await drain();
    expect(await sent()).toBe(1);
  });

  it("alerts below the contact's price limit, even for a small fall, but not above it", async () => {
    const whole = Math.ceil((await alerts.priceOf(watched)) / 100);
    await alerts.setPrice(watched, whole * 100);
    const below = Math.floor(whole * 0.9);
    const body = signUpBody(SOMEBODY, watched);
    await alerts.service.signUp({
      body: { ...body, intent: { ...body.intent, belowPrice: below } },
      address: '127.0.0.1',
    });
    await alerts.say(SOMEBODY, 'YES');
    await alerts.setPrice(watched, below * 100);
    await drain();
    expect(await drops()).toEqual([]);
    await alerts.setPrice(watched, below * 100 - 1);
    await drain();
    expect(await sent()).toBe(1);
    expect((await drops())[0]?.text).toContain(
      `You asked for prices up to £${below.toLocaleString('en-GB')}.`,
    );
  });

  it('alerts below a price limit for a package whose board the search form does not list', async () => {
    await alerts.parts.store.database.exec(`update board set code = 'ZZ' where code = 'AI';
      update note set value = 'another' where name = 'reference_version'`);
    const unlisted = watched.replace(':AI', ':ZZ');
    expect(unlisted).not.toBe(watched);
    const below = Math.floor((await alerts.priceOf(unlisted)) / 100);
    const body = signUpBody(SOMEBODY, unlisted);
    const signedUp = await alerts.service.signUp({
      body: { ...body, intent: { ...body.intent, belowPrice: below } },
      address: '127.0.0.1',
    });
    expect(signedUp).toMatchObject({ kind: 'ok' });
    await alerts.say(SOMEBODY, 'YES');
    await alerts.setPrice(unlisted, below * 100 - 1);
    await drain();
    expect(await sent()).toBe(1);
  });

  it('keeps the limit of a running watch after another sign-up, and says what is watched once a day', async () => {
    const signUpBelow = (belowPrice: number) => {
      const body = signUpBody(SOMEBODY, watched);
      const intent = { ...body.intent, belowPrice };
      return alerts.service.signUp({ body: { ...body, intent }, address: '127.0.0.1' });
    };
    const limit = async () =>
      (await alerts.parts.store.sql.get`select limit_price from alert_search`)?.limit_price;
    await signUpBelow(300);
    await signUpBelow(310);
    expect(await limit()).toBe(30_999);
    await alerts.say(SOMEBODY, 'YES');
    for (const below of [310, 200, 250]) expect(await signUpBelow(below)).toMatchObject({ kind: 'ok' });
    await drain();
    expect(await limit()).toBe(30_999);
    const welcomes = (await alerts.messages()).filter(({ kind }) => kind === 'welcome');
    expect(welcomes).toMatchObject([{ text: expect.stringContaining('You asked for prices up to £310.') }]);
  });

  it('sends no alert for an expired package', async () => {
    await alerts.watch(SOMEBODY, watched);
    alerts.passTime(10 * HOUR);
    await lower(10);
    await alerts.parts.store.sql.run`update offer set expires_at = ${Math.floor(alerts.now() / 60_000) + 1}`;
    alerts.passTime(10 * HOUR);
    await drain();
    expect(await drops()).toMatchObject([{ state: 'dropped' }]);
  });

  it('ends a watch when its holiday departs', async () => {
    await alerts.watch(SOMEBODY, watched);
    alerts.passTime(60 * DAY);
    await lower(10);
    expect(await drops()).toEqual([]);
  });

  it('covers similar packages in the same message', async () => {
    const similar = groupOf(alerts);
    const [first = '', ...others] = similar;
    expect(others.length).toBeGreaterThan(0);
    await alerts.watch(SOMEBODY, first);
    for (const itemKey of others)
      await alerts.setPrice(itemKey, Math.floor((await alerts.priceOf(itemKey)) * 0.9));
    await drain();
    expect(await sent()).toBe(1);
    expect((await drops())[0]?.text).toMatch(/\n\nSimilar to .+, £\d+ now: .+\n\nSee it/);
  });

  it('names the watched package first, then up to two similar ones', async () => {
    const [first = '', ...others] = groupOf(alerts);
    expect(others.length).toBeGreaterThan(2);
    await alerts.watch(SOMEBODY, first);
    const was = await alerts.priceOf(first);
    for (const itemKey of [...others, first])
      await alerts.setPrice(
        itemKey,
        Math.floor((await alerts.priceOf(itemKey)) * (itemKey === first ? 0.94 : 0.8)),
      );
    await drain();
    const text = (await drops())[0]?.text ?? '';
    const pounds = (pence: number) => `£${Math.round(pence / 100)}`;
    expect(text).toContain(`Price drop to ${pounds(Math.floor(was * 0.94))}, from ${pounds(was)}:`);
    expect(text.match(/similar: /g)).toHaveLength(2);
    alerts.passTime(DAY);
    await drain();
    expect(await sent()).toBe(1);
    const told = (await alerts.parts.store.sql.all`select item_key from alert_told`).map(
      ({ item_key }) => item_key,
    );
    expect(told).toHaveLength(3);
    expect(told).toContain(first);
  });

  it('sends nothing about a similar package that costs over 10% more than the watched one', async () => {
    const [first = '', other = ''] = groupOf(alerts);
    await alerts.setPrice(first, 60_000);
    await alerts.setPrice(other, 140_000);
    await alerts.watch(SOMEBODY, first);
    await alerts.setPrice(other, 125_000);
    await drain();
    expect(await sent()).toBe(0);
    await alerts.setPrice(other, 66_000);
    await drain();
    expect(await sent()).toBe(1);
    expect((await drops()).at(-1)?.text).toMatch(
      /^Price drop to £660, from £1,400:\n\nSimilar to .+, £600 now: /,
    );
  });

  it('answers See it with the similar package that the message told of', async () => {
    const [first = '', other = ''] = groupOf(alerts);
    await alerts.setPrice(first, 60_000);
    await alerts.setPrice(other, 80_000);
    await alerts.watch(SOMEBODY, first);
    await alerts.setPrice(other, 62_000);
    await drain();
    const { id = 0, contact = 0 } = (await drops()).at(-1) ?? {};
    const payload = await alerts.parts.store.sql.get<{
      body: string;
    }>`select body from alert_message where id = ${id}`;
    const [see] = JSON.parse(payload?.body ?? '').buttons as { payload: string }[];
    await alerts.service.simulateReply(contact, 'See it', see?.payload);
    expect((await alerts.messages()).at(-1)?.text).toContain('£620 now, plus charges at the hotel.');
    expect((await alerts.messages()).at(-1)?.text).toContain(`holiday=${other}`);
  });

  it('tells a person about all watches that fell in one message, the best first', async () => {
    const apart = packagesApart(alerts, 5);
    expect(apart).toHaveLength(5);
    for (const itemKey of apart) {
      await alerts.setPrice(itemKey, 50_000);
      await alerts.watch(SOMEBODY, itemKey);
    }
    alerts.passTime(10 * HOUR);
    const falls = [0.9, 0.7, 0.8, 0.75, 0.85];
    for (const [nth, itemKey] of apart.entries())
      await alerts.setPrice(itemKey, Math.floor(50_000 * (falls[nth] ?? 1)));
    await drain();
    expect((await drops()).map(({ state }) => state)).toEqual(['queued']);
    alerts.passTime(10 * HOUR);
    await drain();
    expect((await drops())[0]?.text).toMatch(
      /drop to £350, from £500.+£375, was £500; .+£400, was £500\.\n/s,
    );
    // The message about the other two is due the next day.
    expect((await drops()).map(({ state }) => state)).toEqual(['delivered', 'queued']);
    alerts.passTime(DAY);
    await drain();
    expect((await drops())[1]?.text).toMatch(/drop to £425, from £500.+£450, was £500\.\n/s);
    expect((await drops()).map(({ state }) => state)).toEqual(['delivered', 'delivered']);
  });

  it('states no lowest price with under a week of history, and links to our page with the search open', async () => {
    await alerts.watch(SOMEBODY, watched);
    await lower(10);
    const text = (await drops())[0]?.text ?? '';
    expect(text).not.toContain('lowest');
    const [address = ''] = /http:\/\/localhost:3000\/results\S+/.exec(text) ?? [];
    const { searchParams } = new URL(address);
    expect(searchParams.get('holiday')).toBe(watched);
    const [, , airport, date, nights, board] = watched.split(':');
    expect(Object.fromEntries(searchParams)).toMatchObject({ from: airport, date, nights, board });
  });

  it('lists watches, and ends one by its number', async () => {
    const other = apartFrom(alerts, watched);
    await alerts.watch(SOMEBODY, watched);
    await alerts.watch(SOMEBODY, other);
    await alerts.say(SOMEBODY, 'stop 1');
    expect((await alerts.messages()).at(-1)?.text).toMatch(
      /^We've stopped alert 1\. START 1 .+\nYou're watching:\n2\. /,
    );
    await lower(20);
    expect(await drops()).toEqual([]);
    await alerts.say(SOMEBODY, 'LIST');
    expect((await alerts.messages()).at(-1)?.text).toMatch(/^You're watching:\n2\. /);
  });

  it('ends with STOP and sends nothing, not even queued messages, until START', async () => {
    await alerts.watch(SOMEBODY, watched);
    alerts.passTime(10 * HOUR);
    await lower(10);
    await alerts.say(SOMEBODY, 'Stop.');
    const before = (await alerts.messages()).length;
    alerts.passTime(12 * HOUR);
    await lower(10);
    expect(await drops()).toMatchObject([{ state: 'dropped', reason: 'stopped' }]);
    expect(await alerts.signUp(SOMEBODY, apartFrom(alerts, watched))).toMatchObject({ kind: 'ok' });
    await alerts.say(SOMEBODY, 'LIST');
    expect(await alerts.messages()).toHaveLength(before);
    await alerts.say(SOMEBODY, 'START');
    // The list, and the question about the new sign-up.
    expect((await alerts.messages()).slice(before)).toMatchObject([
      { kind: 'reply', state: 'delivered' },
      { kind: 'confirm', state: 'delivered' },
    ]);
  });

  it('ignores a YES to a confirmation request that was sent before the STOP', async () => {
    await alerts.signUp(SOMEBODY, watched);
    await alerts.say(SOMEBODY, 'STOP');
    await alerts.say(SOMEBODY, 'YES');
    await lower(20);
    expect(await alerts.messages()).toMatchObject([{ kind: 'confirm' }, { text: STOPPED }]);
  });

  it('alerts every number that watches the package, except one that has stopped', async () => {
    for (let index = 0; index < 20; index += 1) await alerts.watch(dramaNumber(index), watched);
    await alerts.say(dramaNumber(3), 'STOP');
    await lower(10);
    alerts.passTime(2_000);
    await drain();
    expect((await drops()).filter(({ state }) => state === 'delivered')).toHaveLength(19);
  });

  it('watches the same packages after the inventory was rebuilt with other IDs', async () => {
    await alerts.watch(SOMEBODY, watched);
    await alerts.parts.store.database.exec(`update hotel set id = id + 100; update offer set hotel = hotel + 100;
      update resort set id = id + 50; update hotel set resort = resort + 50; update offer set resort = resort + 50;
      update note set value = 'another' where name = 'reference_version'`);
    await lower(10);
    expect(await sent()).toBe(1);
  });
});

/** A package to which no other is similar; the first package if there is no such package. */
function aloneIn(alerts: SmallAlerts): string {
  const alone = alerts.itemKeys.find((itemKey) => similarTo(alerts, itemKey).length === 1);
  return alone ?? alerts.itemKeys[0] ?? '';
}

function apartFrom(alerts: SmallAlerts, itemKey: string): string {
  const own = readKey(itemKey).resort;
  return (
    alerts.itemKeys.findLast(
      (other) => readKey(other).resort !== own && similarTo(alerts, other).length > 0,
    ) ?? ''
  );
}

/** The first packages of different resorts, nights or parties, so that none is similar to another. */
function packagesApart(alerts: SmallAlerts, count: number): string[] {
  const kindOf = (itemKey: string) => {
    const { resort, nights, party } = readKey(itemKey);
    return `${resort} ${nights} ${party}`;
  };
  return [...Map.groupBy(alerts.itemKeys, kindOf).values()].slice(0, count).flatMap(([first = '']) => first);
}

function groupOf(alerts: SmallAlerts): string[] {
  const first = alerts.itemKeys.find((itemKey) => similarTo(alerts, itemKey).length > 2) ?? '';
  return [first, ...similarTo(alerts, first).filter((itemKey) => itemKey !== first)];
}

/**
 * Similar packages by a simple implementation: resort, nights, party, board, stars, departure within three
 * days.
 */
function similarTo(alerts: SmallAlerts, itemKey: string): string[] {
  const own = readKey(itemKey);
  return alerts.itemKeys.filter((key) => {
    const other = readKey(key);
    return (
      other.resort === own.resort &&
      other.nights === own.nights &&
      other.party === own.party &&
      (other.airport === own.airport || (own.airport !== 'MAN' && other.airport !== 'MAN')) &&
      (other.board === own.board || other.board === 'AI') &&
      other.halfStars >= own.halfStars &&
      Math.abs(other.day - own.day) <= 3
    );
  });
}

function readKey(itemKey: string) {
  const [, code, airport, date = '', nights, board, , party] = itemKey.split(':');
  const hotel = REFERENCE.hotels.find((known) => known.code === code);
  const day = Date.parse(date) / DAY;
  return { resort: hotel?.resort, halfStars: hotel?.halfStars ?? 0, airport, day, nights, board, party };
}

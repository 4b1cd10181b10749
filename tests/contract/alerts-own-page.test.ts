import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ANY_PRICE } from '../../server/alerts/matching/describe-search.ts';
import type { AlertSession } from '../../server/alerts/tables/alert-store.ts';
import { openAlertsApp } from '../fixtures/alerts/alerts-app.ts';
import { emailBody, pushBody } from '../fixtures/alerts/channel-bodies.ts';
import { type PushDouble, startPushDouble } from '../fixtures/alerts/push-double.ts';
import { signUpBody } from '../fixtures/alerts/sign-up-body.ts';
import { SOMEBODY } from '../fixtures/alerts/small-alerts.ts';
import { partsOf, type SmtpDouble, startSmtpDouble } from '../fixtures/alerts/smtp-double.ts';
import { STORE_KINDS } from '../fixtures/test-stores.ts';

type AlertsApp = Awaited<ReturnType<typeof openAlertsApp>>;

const SITE = 'https://skylark.example';
const ADDRESS = 'some.one@example.com';
const A_MINUTE = 60_000;
const A_DAY = 24 * 60 * A_MINUTE;

describe.each(STORE_KINDS)("The page of a contact's own alerts, in the %s store", (store) => {
  let smtp: SmtpDouble;
  let push: PushDouble;
  let alerts: AlertsApp;
  let itemKey: string;
  beforeEach(async () => {
    smtp = await startSmtpDouble();
    push = await startPushDouble();
    alerts = await openAlertsApp({
      store,
      variables: {
        ALERT_EMAIL: 'on',
        SMTP_URL: smtp.url,
        MAIL_FROM: 'Skylark <alerts@skylark.example>',
        PUBLIC_URL: SITE,
        ALERT_QUIET_HOURS: 'none',
        ...(store === 'postgresql' ? { VAPID_KEY: '1'.repeat(64) } : {}),
      },
    });
    itemKey = alerts.itemKeys[0] ?? '';
  });
  afterEach(async () => {
    await alerts.close();
    await smtp.close();
    await push.close();
  });

  const drain = () => alerts.parts.dispatcher.drain();
  const sql = () => alerts.parts.store.sql;
  const watches = async () =>
    (
      await sql()
        .all`select number, state, limit_price from alert_watch left join alert_search on watch = id order by id`
    ).map(({ number, state, limit_price }) => [number, state, limit_price]);
  const get = (url: string) => alerts.app.inject({ method: 'GET', url });
  const post = (fields: Record<string, string>, url = '/my-alerts') =>
    alerts.app.inject({
      method: 'POST',
      url,
      payload: new URLSearchParams(fields).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
  /** The token in the last link to the page in a text. Throws if there is no link. */
  function tokenIn(text: string): string {
    const found = [...text.matchAll(/https:\/\/skylark\.example\/my-alerts\?token=([\w.-]+)/g)].at(-1)?.[1];
    if (found === undefined) throw new Error(`No link to the page: ${text}`);
    return found;
  }
  /** The latest message to a phone, as the local outbox shows it. */
  async function phoneText(): Promise<string> {
    const { phones } = await alerts.service.readOutbox();
    const phone = phones.find(({ channel }) => channel === 'whatsapp');
    return phone?.messages.filter(({ state }) => state !== 'own').at(-1)?.text ?? '';
  }
  async function watchByPhone(): Promise<string> {
    await alerts.watch(SOMEBODY, itemKey);
    return tokenIn(await phoneText());
  }
  async function watchByEmail(): Promise<string> {
    const payload = emailBody(ADDRESS, itemKey, 'owner-0123456789abcdefghij');
    await alerts.app.inject({ method: 'POST', url: '/intents', payload });
    await drain();
    const text =
      partsOf(smtp.mails.at(-1) ?? { from: '', to: [], headers: {}, source: '' })['text/plain'] ?? '';
    const confirm = /Yes, watch it: https:\/\/skylark\.example(\S+)/.exec(text)?.[1] ?? '';
    await post({}, confirm);
    return tokenIn(text);
  }

  it('is linked from every message on every channel, by a link without number or address', async () => {
    const browser = push.subscribe();
    await alerts.app.inject({ method: 'POST', url: '/intents', payload: pushBody(browser, itemKey) });
    await watchByEmail();
    await alerts.watch(SOMEBODY, itemKey);
    alerts.passTime(A_MINUTE);
    await alerts.setPrice(itemKey, Math.floor((await alerts.priceOf(itemKey)) * 0.8));
    await drain();
    const { phones } = await alerts.service.readOutbox();
    const texts = phones
      .filter(({ channel }) => channel === 'whatsapp')
      .flatMap(({ messages }) =>
        messages.filter(({ state }) => state !== 'own').map(({ text }) => text ?? ''),
      );
    expect(texts.length).toBeGreaterThan(2);
    const mails = smtp.mails.flatMap((mail) => Object.values(partsOf(mail)));
    expect(mails).toHaveLength(4);
    const notices = push.received.map(({ text }) => text);
    expect(notices).toHaveLength(2);
    for (const text of [...texts, ...mails, ...notices]) {
      const token = tokenIn(text);
      expect((await get(`/my-alerts?token=${token}`)).statusCode).toBe(200);
      expect(token).not.toContain(SOMEBODY.slice(-6));
      expect(token).not.toContain('some');
    }
  });

  it('shows each watch with its price and price history', async () => {
    const token = await watchByPhone();
    await alerts.setPrice(itemKey, (await alerts.priceOf(itemKey)) + 12_300);
    const page = await get(`/my-alerts?token=${token}`);
    expect(page.statusCode).toBe(200);
    expect(page.headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    });
    expect(String(page.headers['content-security-policy'])).not.toContain('unsafe');
    expect(page.body).toContain('the number ending in');
    expect(page.body).not.toContain(SOMEBODY.slice(2));
    expect(page.body).toMatch(/<strong>£[\d,]+<\/strong> now/);
    expect(page.body).toContain('Stop this one');
    expect(page.body).not.toMatch(/<script|style="/);
  });

  it('links to the flexible search of the sign-up, until its day has come', async () => {
    const departure = itemKey.split(':')[3] ?? '';
    const search = `country=Spain&or=Malta%7C%7C&from=LGW&date=${departure}&flex=3&nights=7-10`;
    const { intent, ...body } = signUpBody(SOMEBODY, itemKey);
    const payload = { ...body, intent: { ...intent, search } };
    expect((await alerts.app.inject({ method: 'POST', url: '/intents', payload })).statusCode).toBe(200);
    await alerts.say(SOMEBODY, 'YES');
    const token = tokenIn(await phoneText());
    const linkIn = (text: string) => [
      ...new URL(/https:\S+\/results\?[^\s"]+/.exec(text)?.[0].replaceAll('&amp;', '&') ?? '').searchParams,
    ];
    const flexible = [...new URLSearchParams(search), ['holiday', itemKey]];
    expect(linkIn((await get(`/my-alerts?token=${token}`)).body)).toEqual(flexible);

    alerts.passTime(A_MINUTE);
    await alerts.setPrice(itemKey, Math.floor((await alerts.priceOf(itemKey)) * 0.8));
    await drain();
    expect(linkIn(await phoneText())).toEqual(flexible);
    expect((await post({ token }, '/my-alerts/data')).json()).toMatchObject({ watches: [{ search }] });

    await alerts.parts.store.sql
      .run`update alert_watch set search = ${search.replace(departure, '2027-04-01')}`;
    const exact = new Map(linkIn((await get(`/my-alerts?token=${token}`)).body) as [string, string][]);
    expect([exact.get('date'), exact.get('flex')]).toEqual([departure, undefined]);
  });

  it('shows the first 100 alerts, and the number of others', async () => {
    const token = await watchByPhone();
    const shown = async () => (await get(`/my-alerts?token=${token}`)).body;
    const sections = (body: string) => body.match(/<section class="own-watch"/g)?.length;
    const add = async (from: number, to: number) => {
      for (let number = from; number <= to; number += 1)
        await sql()
          .run`insert into alert_watch (contact, number, item_key, resort, nights, party, departure_day,
          airport, board, half_stars, departs_at, state, created_at)
          select contact, ${number}, ${`gone ${number}`}, resort, nights, party, departure_day, airport, board,
          half_stars, departs_at, state, created_at from alert_watch where number = 1`;
    };
    await add(2, 100);
    const whole = await shown();
    expect(sections(whole)).toBe(100);
    expect(whole).not.toContain('own-others');
    await add(101, 130);
    const first = await shown();
    expect(sections(first)).toBe(100);
    expect(first).toContain('You have 130 alerts. These are the first 100;');
    await post({ token, act: 'stop one', watch: '1' });
    expect(await shown()).toContain('id="watch-101"');
  });

  it('does not open for a person whose ID belonged to another before a backup was restored', async () => {
    const token = await watchByPhone();
    const id = Number((await sql().get`select id from alert_contact`)?.id);
    // Simulates restoring a backup from before the sign-up: the next person gets the same ID.
    await sql()
      .run`update alert_contact set contact_key = ${'a'.repeat(64)}, created_at = created_at + 60000 where id = ${id}`;
    expect((await get(`/my-alerts?token=${token}`)).statusCode).toBe(404);
    expect((await get(`/my-alerts/data?token=${token}`)).statusCode).toBe(404);
    const refused = await post({ token, act: 'delete' });
    expect(refused.statusCode).toBe(404);
    expect(await watches()).toHaveLength(1);
  });

  it('changes nothing on a GET, whatever its query', async () => {
    const token = await watchByPhone();
    for (const act of ['stop one', 'stop all', 'stop everything', 'delete', 'limit', 'start']) {
      const query = new URLSearchParams({ token, act, watch: '1', below: '100', news: 'stopped' });
      expect((await get(`/my-alerts?${query}`)).statusCode).toBe(200);
      expect((await get(`/my-alerts/data?${query}`)).statusCode).toBe(404);
    }
    expect((await alerts.app.inject({ method: 'HEAD', url: `/my-alerts?token=${token}` })).statusCode).toBe(
      200,
    );
    expect(await watches()).toEqual([[1, 'active', null]]);
    const query = new URLSearchParams({ token, act: 'stop all' });
    // The token is only accepted in the body.
    expect((await post({ act: 'stop all' }, `/my-alerts?${query}`)).statusCode).toBe(400);
    expect(await watches()).toEqual([[1, 'active', null]]);
  });

  it('changes the price limit of a watch, and rejects text that is not an amount', async () => {
    const token = await watchByPhone();
    const saved = await post({ token, act: 'limit', watch: '1', below: '£1,234' });
    expect(saved.statusCode).toBe(303);
    expect(await watches()).toEqual([[1, 'active', 123_400]]);
    const shown = await get(String(saved.headers.location).replace(/#.*/, ''));
    expect(shown.body).toContain('value="1234"');
    expect(shown.body).toContain('Saved.');
    for (const below of ['0', '-5', '12.5', '1e3', 'cheap', '999999999']) {
      const refused = await post({ token, act: 'limit', watch: '1', below });
      expect(String(refused.headers.location)).toContain('news=bad-limit');
    }
    expect(await watches()).toEqual([[1, 'active', 123_400]]);
    await post({ token, act: 'limit', watch: '1', below: '' });
    expect(await watches()).toEqual([[1, 'active', ANY_PRICE]]);
    const missing = await post({ token, act: 'limit', watch: '7', below: '100' });
    expect(String(missing.headers.location)).toContain('news=ended');
  });

  it('sends alerts by the new price limit', async () => {
    const token = await watchByPhone();
    const price = await alerts.priceOf(itemKey);
    const below = String(Math.floor((price * 0.7) / 100));
    await post({ token, act: 'limit', watch: '1', below });
    alerts.passTime(A_MINUTE);
    await alerts.setPrice(itemKey, Math.floor(price * 0.8));
    await drain();
    expect(
      (await alerts.messages()).filter(({ kind, state }) => kind === 'drop' && state === 'delivered'),
    ).toEqual([]);
    alerts.passTime(A_MINUTE);
    await alerts.setPrice(itemKey, Math.floor(price * 0.6));
    await drain();
    expect((await alerts.messages()).at(-1)).toMatchObject({ kind: 'drop', state: 'delivered' });
    expect((await alerts.messages()).at(-1)?.text).toContain('You asked for prices up to');
  });

  it('stops one alert or all; only START from the number lifts its stop', async () => {
    const other = alerts.itemKeys[1] ?? '';
    await alerts.watch(SOMEBODY, other);
    const token = await watchByPhone();
    await post({ token, act: 'stop one', watch: '1' });
    expect(await watches()).toEqual([
      [1, 'ended', null],
      [2, 'active', null],
    ]);
    await post({ token, act: 'stop all' });
    expect((await watches()).map(([, state]) => state)).toEqual(['ended', 'paused']);
    expect((await get(`/my-alerts?token=${token}`)).body).toContain('send START on WhatsApp');
    await post({ token, act: 'start' });
    expect((await sql().get`select count(*) as count from alert_suppression`)?.count).toBe(1);
    const before = (await alerts.messages()).length;
    await alerts.signUp(SOMEBODY, alerts.itemKeys[2] ?? '');
    await drain();
    expect(await alerts.messages()).toHaveLength(before);
  });

  it('stops everything of one browser, on every channel', async () => {
    const payload = pushBody(push.subscribe(), itemKey, 'owner-0123456789abcdefghij');
    await alerts.app.inject({ method: 'POST', url: '/intents', payload });
    const token = await watchByEmail();
    expect((await get(`/my-alerts?token=${token}`)).body).toContain('on all your devices and addresses');
    alerts.passTime(A_MINUTE);
    await post({ token, act: 'stop everything' });
    expect((await watches()).map(([, state]) => state)).toEqual(['paused', 'paused']);
    alerts.passTime(A_MINUTE);
    await post({ token, act: 'start' });
    expect((await watches()).map(([, state]) => state)).toEqual(['paused', 'active']);
  });

  it('offers everything stored about a contact as a file, without the address itself', async () => {
    const token = await watchByEmail();
    const file = await post({ token }, '/my-alerts/data');
    expect(file.statusCode).toBe(200);
    expect(file.headers['content-disposition']).toBe('attachment; filename="my-price-alerts.json"');
    expect(file.headers['cache-control']).toBe('no-store');
    const data = file.json<Record<string, unknown>>();
    expect(data).toMatchObject({
      contact: 'the address s…@example.com',
      channel: 'email',
      isStopped: false,
      watches: [{ number: 1, itemKey, state: 'active', alertsUpTo: null }],
      messages: [{ kind: 'confirm' }],
      consents: [{ act: 'signed up' }, { act: 'confirmed' }],
      operatorActs: [],
      keptInAll: { watches: 1, messages: 1, consents: 2, operatorActs: 0 },
    });
    expect(file.body).not.toContain(ADDRESS);
    expect((await post({ token: 'm.1.0.1.x' }, '/my-alerts/data')).statusCode).toBe(404);
  });

  /** What the consent records say, oldest first. */
  const consents = async () =>
    (await sql().all`select act from alert_consent order by id`).map(({ act }) => act);
  /** The path that mail programs post to. */
  function stopUrl(): string {
    const header = smtp.mails.at(-1)?.headers['list-unsubscribe'] ?? '';
    return header.replace(/^<|>$/g, '').slice(SITE.length);
  }

  it('records a stop once, and responds to each repetition in the same way', async () => {
    const token = await watchByEmail();
    const stop = stopUrl();
    const answers: string[][] = [];
    for (let count = 0; count < 5; count += 1) {
      alerts.passTime(A_MINUTE);
      answers.push([]);
      for (const choice of ['everything', 'channel', 'watch']) {
        const { statusCode, body } = await post({ choice }, stop);
        answers.at(-1)?.push(`${statusCode} ${body}`);
      }
      for (const act of ['stop everything', 'stop all']) {
        const { statusCode, headers } = await post({ token, act });
        answers.at(-1)?.push(`${statusCode} ${String(headers.location)}`);
      }
    }
    expect(await consents()).toEqual(['signed up', 'confirmed', 'stopped']);
    for (const later of answers) expect(later).toEqual(answers[0]);
    // Each repetition updated the stop's time, so an earlier START lifts nothing.
    expect(await sql().all`select at from alert_suppression`).toEqual([{ at: alerts.now() }]);
  });

  it('records no further stops of a person who alternately stops and starts', async () => {
    const token = await watchByEmail();
    const stop = stopUrl();
    const inTurn = async () => {
      for (const choose of [
        () => post({ token, act: 'stop everything' }),
        () => post({ token, act: 'start' }),
        () => post({ choice: 'everything' }, stop),
        () => post({ choice: 'start' }, stop),
        () => post({ token, act: 'stop all' }),
        () => post({ token, act: 'start' }),
      ]) {
        await choose();
        alerts.passTime(A_MINUTE);
      }
    };
    await inTurn();
    const once = ['signed up', 'confirmed', 'stopped'];
    expect(await consents()).toEqual(once);
    await inTurn();
    expect(await consents()).toEqual(once);
  });

  /** Adds 1,500 records of each kind, numbered from 2 to 1,501. */
  async function addRecords({ id, key }: { id: number; key: string }): Promise<void> {
    const body = JSON.stringify({ template: 'reply', parameters: [], text: 'Hello' });
    const add = async (
      { session }: AlertSession,
      table: string,
      record: (nth: number) => Record<string, string | number>,
    ) => {
      const records = Array.from({ length: 1_500 }, (_, index) => record(index + 2));
      const columns = Object.keys(record(0));
      await session.addRows(
        table,
        columns,
        records.map((one) => Object.values(one)),
      );
    };
    const consent = {
      contact_key: key,
      channel: 'whatsapp',
      act: 'confirmed',
      wording_version: 1,
      wording: 'Yes.',
    };
    const message = {
      contact: id,
      kind: 'reply',
      channel: 'whatsapp',
      state: 'delivered',
      body,
    };
    const holiday = {
      resort: 'somewhere',
      nights: 7,
      party: '2.0.0',
      departure_day: 1,
      airport: 'LGW',
      board: 'AI',
    };
    const watch = {
      contact: id,
      item_key: itemKey,
      ...holiday,
      half_stars: 8,
      departs_at: 1,
      state: 'ended',
    };
    await alerts.parts.store.transact(async (tx) => {
      await add(tx, 'alert_consent', (nth) => ({ ...consent, item_key: `item ${nth}`, at: nth }));
      await add(tx, 'alert_audit', (nth) => ({
        at: nth,
        contact_key: key,
        act: 'lookup',
        who: 'somebody',
        why: `complaint ${nth}`,
      }));
      await add(tx, 'alert_message', (nth) => ({
        ...message,
        due_at: nth,
        created_at: nth,
        settled_at: nth,
      }));
      await add(tx, 'alert_watch', (nth) => ({ ...watch, number: nth, created_at: nth, ended_at: nth }));
    });
  }

  it('offers the latest 1,000 records of each kind, and the number of all', async () => {
    const token = await watchByPhone();
    const id = Number((await sql().get`select id from alert_contact`)?.id);
    const key = String((await sql().get`select contact_key from alert_contact`)?.contact_key);
    const before = (await alerts.messages()).length;
    await addRecords({ id, key });
    const read = vi.spyOn(sql(), 'all');
    const file = await post({ token }, '/my-alerts/data');
    const rows = await Promise.all(read.mock.results.map(({ value }) => value as Promise<unknown[]>));
    const lengths = rows.map(({ length }) => length);
    read.mockRestore();
    expect(Math.max(...lengths)).toBe(1_000);
    const data =
      file.json<
        Record<string, { number: number; text: string; itemKey: string; holiday: string | null }[]>
      >();
    for (const kind of ['watches', 'messages', 'consents', 'operatorActs'])
      expect(data[kind]).toHaveLength(1_000);
    expect(data.keptInAll).toEqual({
      watches: 1_501,
      messages: 1_500 + before,
      consents: 1_502,
      operatorActs: 1_500,
    });
    expect(data.watches?.map(({ holiday }) => holiday !== null)).toEqual([
      ...Array.from({ length: 900 }, () => false),
      ...Array.from({ length: 100 }, () => true),
    ]);
    // The latest records, oldest first.
    const ends = (kind: string) => [data[kind]?.at(0), data[kind]?.at(-1)];
    expect(ends('watches')).toMatchObject([{ number: 502 }, { number: 1_501 }]);
    expect(ends('consents')).toMatchObject([{ itemKey: 'item 502' }, { itemKey: 'item 1501' }]);
    expect(ends('operatorActs')).toMatchObject([{ why: 'complaint 502' }, { why: 'complaint 1501' }]);
  });

  it.each(['phone', 'email'] as const)(
    'deletes everything about the %s of a contact, and sends it no further messages',
    async (kind) => {
      const token = kind === 'phone' ? await watchByPhone() : await watchByEmail();
      const sent = async () => (await alerts.messages()).length + smtp.mails.length;
      const deleted = await post({ token, act: 'delete' });
      expect(deleted.statusCode).toBe(200);
      expect(deleted.body).toContain('We’ve deleted your data');
      for (const table of ['alert_contact', 'alert_watch', 'alert_message', 'alert_consent'])
        expect(await alerts.parts.store.database.prepare(`select * from ${table}`).all()).toEqual([]);
      expect((await get(`/my-alerts?token=${token}`)).statusCode).toBe(404);
      expect((await post({ token, act: 'delete' })).statusCode).toBe(404);
      const before = await sent();
      if (kind === 'phone') await alerts.signUp(SOMEBODY, itemKey);
      else await alerts.app.inject({ method: 'POST', url: '/intents', payload: emailBody(ADDRESS, itemKey) });
      await drain();
      // A deleted number gets nothing until it sends START. A deleted address gets a request to confirm.
      expect((await sent()) - before).toBe(kind === 'phone' ? 0 : 2);
      expect((await alerts.messages()).map(({ kind }) => kind)).toEqual(kind === 'phone' ? [] : ['confirm']);
    },
  );

  it('asks an address to confirm a new sign-up after it has stopped all emails and deleted its data', async () => {
    const token = await watchByEmail();
    await post({ token, act: 'stop all' });
    alerts.passTime(A_MINUTE);
    expect((await post({ token, act: 'delete' })).body).toContain('we’ll email once to ask');
    expect(await sql().all`select key from alert_suppression`).toEqual([]);
    const before = smtp.mails.length;
    await watchByEmail();
    expect(smtp.mails).toHaveLength(before + 1);
    expect(await watches()).toEqual([[1, 'active', null]]);
  });

  it('rejects changed and expired links, and links for another purpose', async () => {
    const token = await watchByPhone();
    const stopToken = token.replace(/^m/, 's');
    for (const wrong of [
      stopToken,
      `${token}x`,
      token.slice(0, -1),
      '',
      'm.1.0.zzzzzz.aaaaaaaaaaaaaaaaaaaaaa',
    ]) {
      expect((await get(`/my-alerts?token=${wrong}`)).statusCode).toBe(404);
      expect((await post({ token: wrong, act: 'stop all' })).statusCode).toBe(404);
    }
    alerts.passTime(31 * A_DAY);
    expect((await get(`/my-alerts?token=${token}`)).statusCode).toBe(404);
    expect((await post({ token, act: 'delete' })).statusCode).toBe(404);
    expect((await post({ token: 'x'.repeat(300), act: 'delete' })).statusCode).toBe(400);
    expect(await watches()).toEqual([[1, 'active', null]]);
  });

  it('stores and logs no tokens', async () => {
    const token = await watchByPhone();
    await get(`/my-alerts?token=${token}`);
    await post({ token, act: 'limit', watch: '1', below: '300' });
    const rows = JSON.stringify(
      await alerts.parts.store.database.prepare('select * from alert_message').all(),
    );
    const lines = alerts.logged.filter((line) => line.includes('"path"')).join('\n');
    expect(lines).toContain('/my-alerts');
    for (const text of [rows, lines]) expect(text).not.toMatch(/token=|m\.1\.0\./);
  });
});

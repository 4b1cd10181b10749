import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readPause } from '../../server/alerts/delivery/pauses.ts';
import { signToken } from '../../server/alerts/keys/signed-link.ts';
import { contactById } from '../../server/alerts/tables/contacts.ts';
import { deleteExpiredRecords } from '../../server/alerts/tables/retention.ts';
import { openAlertsApp } from '../fixtures/alerts/alerts-app.ts';
import { emailBody, pushBody } from '../fixtures/alerts/channel-bodies.ts';
import { type PushDouble, startPushDouble } from '../fixtures/alerts/push-double.ts';
import { signUpBody } from '../fixtures/alerts/sign-up-body.ts';
import { SOMEBODY } from '../fixtures/alerts/small-alerts.ts';
import { partsOf, type SmtpDouble, type SmtpFault, startSmtpDouble } from '../fixtures/alerts/smtp-double.ts';
import { STORE_KINDS } from '../fixtures/test-stores.ts';

type AlertsApp = Awaited<ReturnType<typeof openAlertsApp>>;

const ADDRESS = 'Some.One@example.com';
const A_MINUTE = 60_000;
const A_DAY = 24 * 60 * A_MINUTE;
const OWNER = 'owner-0123456789abcdefghij';

describe.each(STORE_KINDS)('Alerts by email and web push, in the %s store', (store) => {
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
        PUBLIC_URL: 'https://skylark.example',
        ALERT_QUIET_HOURS: 'none',
        ALERT_LIMIT_NUMBER: '4',
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
  const post = (body: object) =>
    alerts.app.inject({ method: 'POST', url: '/intents', payload: body, remoteAddress: '198.51.100.7' });
  const states = async () =>
    (await alerts.messages()).map(({ kind, state, reason }) => [kind, state, reason]);
  const watches = async () =>
    (await alerts.parts.store.sql.all`select state from alert_watch order by id`).map(({ state }) => state);
  /** The latest link with this label in an email, as a path on this server. */
  function linkOf(label: string): string {
    const found = smtp.mails.map((mail) =>
      new RegExp(`${label}: (\\S+)`).exec(partsOf(mail)['text/plain'] ?? '')?.at(1),
    );
    const address = found.findLast((one) => one !== undefined) ?? '';
    expect(address).toContain('https://skylark.example/my-alerts/');
    return address.replace('https://skylark.example', '');
  }
  const open = (url: string) => alerts.app.inject({ method: 'GET', url });
  const act = (url: string, body = '') =>
    alerts.app.inject({
      method: 'POST',
      url,
      payload: body,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
  async function watchByEmail(address = ADDRESS, owner?: string): Promise<void> {
    expect((await post(emailBody(address, itemKey, owner))).statusCode).toBe(200);
    await drain();
    await act(linkOf('Yes, watch it'));
    alerts.passTime(A_MINUTE);
  }
  async function drop(): Promise<void> {
    await alerts.setPrice(itemKey, Math.floor((await alerts.priceOf(itemKey)) * 0.8));
    await drain();
  }

  it("starts a watch only when the email's link is confirmed, not when a scanner opens it", async () => {
    expect((await post(emailBody(ADDRESS, itemKey))).json()).toEqual({ status: 'ok' });
    await drain();
    const [mail] = smtp.mails;
    expect(mail?.to).toEqual(['Some.One@example.com']);
    expect(mail?.headers.subject).toMatch(/Confirm.your.price.alert/);
    const link = linkOf('Yes, watch it');
    const page = await open(link);
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain('Yes, watch it</button>');
    expect(page.headers['referrer-policy']).toBe('no-referrer');
    expect(await watches()).toEqual(['asked']);
    await act(link);
    expect(await watches()).toEqual(['active']);
    const consents = await alerts.parts.store.sql
      .all`select channel, act, wording from alert_consent order by id`;
    expect(consents.map(({ channel, act: what }) => [channel, what])).toEqual([
      ['email', 'signed up'],
      ['email', 'confirmed'],
    ]);
    expect(consents[0]?.wording).toContain('by email');
  });

  it('shows the first 100 holidays to confirm and the number of others, and starts all of them', async () => {
    await post(emailBody(ADDRESS, itemKey));
    await drain();
    const link = linkOf('Yes, watch it');
    const { store } = alerts.parts;
    for (let number = 2; number <= 107; number += 1)
      await store.sql
        .run`insert into alert_watch (contact, number, item_key, resort, nights, party, departure_day,
        airport, board, half_stars, departs_at, state, created_at)
        select contact, ${number}, ${`gone ${number}`}, resort, nights, party, departure_day, airport, board,
        half_stars, departs_at, state, created_at from alert_watch where number = 1`;
    const { body } = await open(link);
    expect(body.match(/<li>/g)).toHaveLength(100);
    expect(body).toContain('And 7 more.');
    // The page that stops alerts does not list the watches.
    const contact = await contactById(store, Number((await store.sql.get`select id from alert_contact`)?.id));
    if (contact === null) throw new Error('No one has signed up');
    const stop = {
      purpose: 'stop',
      contact: contact.id,
      watch: null,
      expiresAt: alerts.now() + A_DAY,
    } as const;
    const token = signToken(store.keys, stop, contact.createdAt);
    expect((await open(`/my-alerts/stop?token=${token}`)).body).not.toContain('<li>');
    await act(link);
    expect(await watches()).toEqual(Array.from({ length: 107 }, () => 'active'));
  });

  it('sends a price drop as text and HTML, with headers for one-click unsubscribe', async () => {
    await watchByEmail();
    await drop();
    const mail = smtp.mails.at(-1);
    if (mail === undefined) throw new Error('No email was sent');
    const { 'text/plain': text = '', 'text/html': html = '' } = partsOf(mail);
    for (const body of [text, html]) {
      expect(body).toContain('Price drop to £');
      expect(body).toMatch(/https:\/\/skylark\.example\/results\?[^"\s]*holiday=/);
      expect(body).toContain('Stop this one');
    }
    expect(html).toContain('<html lang="en-GB">');
    expect(html).not.toMatch(/<img|<script|url\(/);
    expect(mail.headers.from).toBe('Skylark <alerts@skylark.example>');
    expect(mail.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click');
    expect(mail.headers['list-unsubscribe']).toMatch(
      /^<https:\/\/skylark\.example\/my-alerts\/stop\?token=[\w.-]+>$/,
    );
    expect(await states()).toEqual([
      ['confirm', 'accepted', null],
      ['drop', 'accepted', null],
    ]);
  });

  it.each([
    ['a form', 'application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
    [
      'multipart/form-data',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n',
    ],
  ])('stops all emails when a mail program posts its unsubscribe request as %s', async (_, type, payload) => {
    await watchByEmail();
    await drop();
    const url =
      smtp.mails.at(-1)?.headers['list-unsubscribe']?.replace(/^<https:\/\/skylark\.example|>$/g, '') ?? '';
    expect((await open(url)).statusCode).toBe(200);
    expect(await watches()).toEqual(['active']);
    const stopped = await alerts.app.inject({
      method: 'POST',
      url,
      payload,
      headers: { 'content-type': type },
    });
    expect(stopped.statusCode).toBe(200);
    expect(stopped.body).toContain('You won’t get any more emails');
    expect(await watches()).toEqual(['paused']);
    const sent = smtp.mails.length;
    alerts.passTime(2 * A_DAY);
    await drop();
    expect((await post(emailBody(ADDRESS.toUpperCase(), alerts.itemKeys[1] ?? ''))).statusCode).toBe(200);
    await drain();
    expect(smtp.mails).toHaveLength(sent);
  });

  it('stops what was chosen: this watch, this channel, or everything of the same browser', async () => {
    const browser = push.subscribe();
    await post(pushBody(browser, itemKey, OWNER));
    await watchByEmail(ADDRESS, OWNER);
    const other = alerts.itemKeys[1] ?? '';
    await post(emailBody(ADDRESS, other, OWNER));
    await drain();
    alerts.passTime(A_MINUTE);
    await drop();
    const stopThis = linkOf('Stop this one');
    await act(stopThis, 'choice=watch');
    expect(await watches()).toEqual(['active', 'ended', 'asked']);
    const page = await act(stopThis, 'choice=channel');
    expect(page.body).toContain('Turn price alerts back on');
    expect(await watches()).toEqual(['active', 'ended', 'paused']);
    await act(stopThis, 'choice=everything');
    expect(await watches()).toEqual(['paused', 'ended', 'paused']);
  });

  it('moves the alerts of a browser to its new subscription', async () => {
    const [old, renewed] = [push.subscribe(), push.subscribe()];
    await post(pushBody(old, itemKey));
    await drain();
    const move = (from: string) =>
      alerts.app.inject({
        method: 'POST',
        url: '/intents/subscription',
        payload: { from, user: pushBody(renewed, itemKey).user },
      });
    expect((await move('https://push.example/unknown')).statusCode).toBe(404);
    expect((await move(old.endpoint)).json()).toEqual({ status: 'moved' });
    expect((await move(old.endpoint)).statusCode).toBe(404);
    expect(await watches()).toEqual(['active']);
    alerts.passTime(A_MINUTE);
    await drop();
    expect(push.received.at(-1)?.path).toBe(new URL(renewed.endpoint).pathname);
  });

  it('rejects the move of a browser whose alerts have ended, so that the site says so', async () => {
    const [old, renewed] = [push.subscribe(), push.subscribe()];
    await post(pushBody(old, itemKey));
    push.answer = { status: 410 };
    await drain();
    const payload = { from: old.endpoint, user: pushBody(renewed, itemKey).user };
    const moved = await alerts.app.inject({ method: 'POST', url: '/intents/subscription', payload });
    expect(moved.statusCode).toBe(404);
    expect(await ownPageOf(1)).toContain('notifications have ended');
  });

  it('keeps the alerts of a browser that moves before its old subscription is reported to have ended', async () => {
    const [old, renewed] = [push.subscribe(), push.subscribe()];
    await post(pushBody(old, itemKey));
    const gone = Promise.withResolvers<{ status: number }>();
    push.answer = gone.promise;
    const sending = drain();
    await expect.poll(() => push.received.length).toBe(1);
    const payload = { from: old.endpoint, user: pushBody(renewed, itemKey).user };
    await alerts.app.inject({ method: 'POST', url: '/intents/subscription', payload });
    gone.resolve({ status: 410 });
    await sending;
    expect(await watches()).toEqual(['active']);
    push.answer = { status: 201 };
    alerts.passTime(A_MINUTE);
    await drain();
    expect(push.received.at(-1)?.path).toBe(new URL(renewed.endpoint).pathname);
    expect(await states()).toEqual([['welcome', 'accepted', null]]);
  });

  it('changes the price limit of a repeated sign-up', async () => {
    const below = (body: ReturnType<typeof emailBody>, belowPrice: number) =>
      post({ ...body, intent: { ...body.intent, belowPrice } });
    const limits = async () =>
      (await alerts.parts.store.sql.all`select limit_price from alert_search order by watch`).map(
        (row) => row.limit_price,
      );
    const browser = push.subscribe();
    for (const pounds of [300, 310])
      for (const body of [pushBody(browser, itemKey), emailBody(ADDRESS, itemKey)]) await below(body, pounds);
    expect(await limits()).toEqual([30_999, 30_999]);
  });

  it('starts again only for a person who has the link, not for a new sign-up', async () => {
    await watchByEmail();
    await drop();
    const stop = linkOf('Stop all emails');
    await act(stop);
    alerts.passTime(A_MINUTE);
    await post(emailBody(ADDRESS, itemKey));
    await drain();
    expect(smtp.mails).toHaveLength(2);
    await act(stop, 'choice=start');
    alerts.passTime(A_DAY);
    await post(emailBody(ADDRESS, alerts.itemKeys[1] ?? ''));
    await drain();
    expect(smtp.mails).toHaveLength(3);
  });

  it('asks about a sign-up made during a stop once a link turns alerts back on', async () => {
    await watchByEmail();
    await drop();
    const stop = linkOf('Stop all emails');
    await act(stop);
    alerts.passTime(A_MINUTE);
    await post(emailBody(ADDRESS, alerts.itemKeys[1] ?? ''));
    await act(stop, 'choice=start');
    await drain();
    expect(smtp.mails).toHaveLength(3);
    await act(linkOf('Yes, watch it'));
    expect(await watches()).toEqual(['active', 'active']);
  });

  it('turns alerts back on from the page that confirms, and asks there again', async () => {
    await post(emailBody(ADDRESS, itemKey));
    await drain();
    await act(linkOf('Never email this address'), 'choice=channel');
    alerts.passTime(A_MINUTE);
    const confirm = linkOf('Yes, watch it');
    const { body: stopped } = await act(confirm);
    expect(stopped).toContain('You’re unsubscribed');
    expect(stopped).toContain('Turn price alerts back on');
    const target = /action="([^"]+)"/.exec(stopped)?.[1] ?? confirm;
    const started = await act(target, 'choice=start');
    expect(started.statusCode).toBe(200);
    expect(started.body).toContain('Yes, watch it</button>');
    expect(await watches()).toEqual(['asked']);
    await act(confirm);
    expect(await watches()).toEqual(['active']);
  });

  it('asks an address for confirmation once more after its link has expired, and then never again', async () => {
    const signUp = async () => {
      await post(emailBody(ADDRESS, itemKey));
      await drain();
    };
    await signUp();
    await signUp();
    expect(smtp.mails).toHaveLength(1);
    alerts.passTime(8 * A_DAY);
    await signUp();
    expect(smtp.mails).toHaveLength(2);
    await act(linkOf('Yes, watch it'));
    expect(await watches()).toEqual(['active']);
  });

  it('rejects changed and expired links, and links for another purpose', async () => {
    await watchByEmail();
    await drop();
    const stop = linkOf('Stop all emails');
    for (const url of [
      stop.replace('token=s', 'token=c'),
      stop.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
      '/my-alerts/stop',
      stop.replace('/stop', '/confirm'),
    ]) {
      expect((await act(url)).statusCode).toBe(404);
    }
    alerts.passTime(401 * A_DAY);
    expect((await act(stop)).statusCode).toBe(404);
    expect(await watches()).toEqual(['active']);
  });

  it.each([
    ['a greylisted recipient', { at: 'rcpt', reply: '450 4.2.0 Greylisted' }, 'queued'],
    ['an unknown recipient', { at: 'rcpt', reply: '550 5.1.1 No such user' }, 'failed'],
    ['refused content', { at: 'end', reply: '554 5.7.1 Spam' }, 'failed'],
    ['a full queue after the message', { at: 'end', reply: '451 4.3.0 Try later' }, 'queued'],
    ['a busy server', { at: 'connect', reply: '421 4.7.0 Too many connections' }, 'queued'],
    ['a refused sender', { at: 'mail', reply: '550 5.7.1 Not yours' }, 'queued'],
    ['a connection cut after the message', { at: 'end', cut: true }, 'unknown'],
  ] as const)('classifies %s', async (_, fault, state) => {
    smtp.fault = fault;
    await post(emailBody(ADDRESS, itemKey));
    await drain();
    expect((await alerts.messages())[0]?.state).toBe(state);
    smtp.fault = null;
    const hasAccountFault = fault.at === 'mail';
    expect((await readPause(alerts.parts.store, 'email')).reason?.startsWith('account') ?? false).toBe(
      hasAccountFault,
    );
    expect((await readPause(alerts.parts.store, 'whatsapp')).reason).toBeNull();
    alerts.passTime(30 * A_MINUTE);
    await drain();
    // A message with an unknown outcome is never sent again automatically.
    expect(smtp.mails).toHaveLength(state === 'queued' ? 1 : 0);
  });

  it('sends each email once, although the mail server fails for ten minutes in changing ways', async () => {
    const addresses = Array.from({ length: 20 }, (_, index) => `someone${index}@example.com`);
    for (const address of addresses) await post(emailBody(address, itemKey));
    const faults: SmtpFault[] = [
      { at: 'connect', reply: '421 4.7.0 Too many connections' },
      { at: 'mail', reply: '451 4.3.0 Try later' },
      { at: 'rcpt', reply: '450 4.2.0 Greylisted' },
      { at: 'data', reply: '452 4.3.1 Out of storage' },
      { at: 'end', reply: '451 4.3.0 Try later' },
    ];
    for (let step = 0; step < 20; step += 1) {
      smtp.fault = faults[step % faults.length] ?? null;
      await drain();
      alerts.passTime(A_MINUTE / 2);
    }
    expect(smtp.mails).toEqual([]);
    smtp.fault = null;
    for (let step = 0; step < 80; step += 1) {
      await drain();
      alerts.passTime(A_MINUTE / 2);
    }
    expect(smtp.mails.map(({ to }) => String(to[0])).toSorted()).toEqual(addresses.toSorted());
    expect(new Set((await states()).map(String))).toEqual(new Set(['confirm,accepted,']));
  });

  it('ends the watches of an address that does not exist', async () => {
    await watchByEmail();
    smtp.fault = { at: 'rcpt', reply: '550 5.1.1 No such user' };
    await drop();
    expect(await watches()).toEqual(['ended']);
    expect((await states()).at(-1)).toEqual(['drop', 'failed', 'smtp rcpt 550 5.1.1']);
  });

  it('sends a signed and encrypted notification that only the browser can read', async () => {
    const browser = push.subscribe();
    expect((await post(pushBody(browser, itemKey))).statusCode).toBe(200);
    expect(await watches()).toEqual(['active']);
    await drain();
    alerts.passTime(A_MINUTE);
    await drop();
    const [welcome, alert] = push.received;
    expect(welcome?.claims?.sub).toBe('mailto:alerts@skylark.example');
    expect(welcome?.claims?.aud).toBe(new URL(browser.endpoint).origin);
    expect(Number(alert?.headers.ttl)).toBe(86_400);
    expect(alert?.headers.topic).toBe('watch-1');
    const notification = JSON.parse(alert?.text ?? '{}') as Record<string, unknown>;
    expect(notification.title).toMatch(/^Price drop to £\d/);
    expect(notification.url).toMatch(/^https:\/\/skylark\.example\/results\?/);
    expect(notification.stop).toMatchObject({ label: 'Stop this one' });
    const { url } = notification.stop as { url: string };
    await act(url.replace('https://skylark.example', ''));
    expect(await watches()).toEqual(['ended']);
  });

  it.each([
    [404, 'failed', 'ended'],
    [410, 'failed', 'ended'],
    [429, 'queued', 'active'],
    [500, 'queued', 'active'],
    [413, 'failed', 'active'],
  ])('handles the status %i of a push service', async (status, state, watch) => {
    await post(pushBody(push.subscribe(), itemKey));
    push.answer = { status, headers: status === 429 ? { 'retry-after': '60' } : {} };
    await drain();
    expect((await alerts.messages())[0]?.state).toBe(state);
    expect(await watches()).toEqual([watch]);
    push.answer = { status: 201 };
    alerts.passTime(5 * A_MINUTE);
    await drain();
    expect(push.received).toHaveLength(state === 'queued' ? 2 : 1);
  });

  /** A person's own page, behind the link of their messages. */
  async function ownPageOf(contact: number): Promise<string> {
    const { store: tables } = alerts.parts;
    const link = { purpose: 'manage', contact, watch: null, expiresAt: alerts.now() + A_DAY } as const;
    const token = signToken(tables.keys, link, (await contactById(tables, contact))?.createdAt ?? 0);
    return (await open(`/my-alerts?token=${token}`)).body;
  }

  it('keeps an ended subscription for a day, for its own page, unless its browser signs up again', async () => {
    const [gone, back] = [push.subscribe(), push.subscribe()];
    push.answer = { status: 410 };
    for (const browser of [gone, back]) await post(pushBody(browser, itemKey));
    await drain();
    push.answer = { status: 201 };
    await post(pushBody(back, alerts.itemKeys[1] ?? ''));
    const people = async () =>
      (await alerts.parts.store.sql.all`select id from alert_contact order by id`).map(({ id }) => id);
    await deleteExpiredRecords(alerts.parts.store, 30, alerts.now());
    expect(await people()).toEqual([1, 2]);
    expect(await ownPageOf(1)).toContain('notifications have ended');
    expect(await ownPageOf(2)).not.toContain('notifications have ended');
    alerts.passTime(A_DAY + A_MINUTE);
    await deleteExpiredRecords(alerts.parts.store, 30, alerts.now());
    expect(await people()).toEqual([2]);
  });

  it('does not pause other browsers if one subscription was made with another key', async () => {
    push.answer = { status: 403 };
    await post(pushBody(push.subscribe(), itemKey));
    await drain();
    expect((await readPause(alerts.parts.store, 'push')).until).toBe(0);
    push.answer = { status: 201 };
    await post(pushBody(push.subscribe(), itemKey));
    await drain();
    expect(await states()).toEqual([
      ['welcome', 'queued', null],
      ['welcome', 'accepted', null],
    ]);
    expect(await alerts.service.readNotices(0)).toMatchObject([
      { text: expect.stringContaining('push 403') },
    ]);
    alerts.passTime(2 * 60 * A_MINUTE);
    await drain();
    expect((await states()).map(([, state]) => state)).toEqual(['accepted', 'accepted']);
  });

  it('limits a watch to prices below the sign-up’s limit, on every channel', async () => {
    const price = await alerts.priceOf(itemKey);
    const below = Math.floor((price * 0.85) / 100);
    const limited = (body: ReturnType<typeof emailBody>) => ({
      ...body,
      intent: { ...body.intent, belowPrice: below },
    });
    await post(limited(pushBody(push.subscribe(), itemKey)));
    await post(limited(emailBody(ADDRESS, itemKey)));
    await drain();
    await act(linkOf('Yes, watch it'));
    alerts.passTime(A_DAY);
    await alerts.setPrice(itemKey, Math.floor(price * 0.9));
    await drain();
    expect(
      (await alerts.messages()).filter(({ kind, state }) => kind === 'drop' && state === 'accepted'),
    ).toEqual([]);
    alerts.passTime(A_DAY);
    await alerts.setPrice(itemKey, Math.floor(price * 0.8));
    await drain();
    const drops = (await alerts.messages()).filter(
      ({ kind, state }) => kind === 'drop' && state === 'accepted',
    );
    expect(drops).toHaveLength(2);
    for (const { text } of drops) expect(text).toContain('You asked for prices up to');
  });

  it('accepts only endpoints of known push services', async () => {
    const { keys } = push.subscribe();
    for (const endpoint of [
      'https://internal.example/push',
      'http://169.254.169.254/latest/meta-data',
      'https://fcm.googleapis.com.evil.example/x',
      'https://fcm.googleapis.com:8443/x',
      'https://user@fcm.googleapis.com/x',
      'file:///etc/passwd',
      'not an address',
    ]) {
      expect((await post(pushBody({ endpoint, keys }, itemKey))).statusCode).toBe(422);
    }
    const { endpoint } = push.subscribe();
    const short = { p256dh: keys.auth, auth: keys.auth };
    expect((await post(pushBody({ endpoint, keys: short }, itemKey))).statusCode).toBe(422);
    const offCurve = { p256dh: `B${'A'.repeat(86)}`, auth: keys.auth };
    expect((await post(pushBody({ endpoint, keys: offCurve }, itemKey))).statusCode).toBe(422);
    for (const known of [
      'https://fcm.googleapis.com/fcm/send/x',
      'https://updates.push.services.mozilla.com/wpush/v2/x',
    ])
      expect((await post(pushBody({ endpoint: known, keys }, itemKey))).statusCode).toBe(200);
  });

  it('lets the same browser start again after a stop, with the new alert only', async () => {
    const browser = push.subscribe();
    await post(pushBody(browser, itemKey));
    await drain();
    const { stop } = JSON.parse(push.received[0]?.text ?? '{}') as { stop: { url: string } };
    alerts.passTime(A_MINUTE);
    await act(stop.url.replace('https://skylark.example', ''), 'choice=channel');
    expect(await watches()).toEqual(['paused']);
    alerts.passTime(A_MINUTE);
    await post(pushBody(browser, itemKey));
    expect(await watches()).toEqual(['ended', 'active']);
  });

  it('limits sign-ups per inbox, however its address is spelled', async () => {
    const statuses: number[] = [];
    for (const [index, address] of [
      'a@example.com',
      'A@example.com',
      'a+1@example.com',
      'a+2@EXAMPLE.com',
      'a+3@example.com',
    ].entries())
      statuses.push((await post(emailBody(address, alerts.itemKeys[index] ?? ''))).statusCode);
    expect(statuses).toEqual([200, 200, 200, 200, 429]);
    expect((await post(emailBody('b@example.com', itemKey))).statusCode).toBe(200);
  });

  it('stores and logs no address in plain text', async () => {
    const browser = push.subscribe();
    await post(pushBody(browser, itemKey));
    await watchByEmail();
    await drop();
    const rows = JSON.stringify(
      await Promise.all(
        ['alert_contact', 'alert_consent', 'alert_message', 'alert_suppression', 'alert_notice'].map(
          (table) => alerts.parts.store.database.prepare(`select * from ${table}`).all(),
        ),
      ),
    );
    // Only the lines of the request log.
    const logged = alerts.logged.filter((line) => line.includes('"path"')).join('\n');
    expect(logged).toContain('/my-alerts/confirm');
    const endpoint = new URL(browser.endpoint).pathname;
    for (const text of [rows, logged]) {
      expect(text.toLowerCase()).not.toContain('some.one');
      expect(text).not.toContain(endpoint);
      expect(text).not.toMatch(/token=/);
    }
  });

  it('still sends WhatsApp messages while the SMTP server is down', async () => {
    smtp.fault = { at: 'auth', reply: '535' };
    await smtp.close();
    for (const [index, key] of alerts.itemKeys.slice(0, 12).entries())
      await post(emailBody(`a${index}@example.com`, key));
    await post(signUpBody(SOMEBODY, itemKey));
    await drain();
    expect((await readPause(alerts.parts.store, 'email')).until).toBeGreaterThan(alerts.now());
    const whatsapp = await alerts.parts.store.sql
      .get`select state from alert_message where channel = 'whatsapp'`;
    expect(whatsapp?.state).toBe('delivered');
    smtp = await startSmtpDouble();
  });
});

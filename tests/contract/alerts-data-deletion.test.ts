import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { alertMetrics } from '../../server/alerts/status/alert-metrics.ts';
import { eraseNumber, finishErasures } from '../../server/alerts/tables/erasure.ts';
import { deleteExpiredRecords } from '../../server/alerts/tables/retention.ts';
import { openDatabase } from '../../server/storage/open/database.ts';
import { dramaNumber } from '../fixtures/alerts/drama-numbers.ts';
import { openSmallAlerts, type SmallAlerts, SOMEBODY } from '../fixtures/alerts/small-alerts.ts';
import { STORE_KINDS } from '../fixtures/test-stores.ts';

const DAY = 24 * 3_600_000;

/** Tables with data about a person. */
const TABLES = [
  'alert_contact',
  'alert_consent',
  'alert_watch',
  'alert_told',
  'alert_message',
  'alert_attempt',
  'alert_asked',
  'alert_own_answer',
];

describe.each(STORE_KINDS)('Deleting records of alerts, in the %s store', (store) => {
  let alerts: SmallAlerts;
  let itemKey: string;
  beforeEach(async () => {
    alerts = await openSmallAlerts({ store });
    itemKey = alerts.itemKeys[0] ?? '';
    await alerts.watch(SOMEBODY, itemKey);
    await alerts.setPrice(itemKey, Math.floor(alerts.priceOf(itemKey) * 0.97));
  });
  afterEach(() => alerts.close());

  const rows = () =>
    TABLES.map((table) =>
      Number(alerts.parts.store.database.prepare(`select count(*) as count from ${table}`).get()?.count),
    );
  const nothing = TABLES.map(() => 0);
  const keyOf = (number: string) => alerts.parts.store.keys.keyFor('number', number);

  it('erases a number everywhere, in any spelling, and no other number', async () => {
    await alerts.watch(dramaNumber(7), itemKey);
    const sealed = alerts.parts.store.sql
      .get`select contact_sealed from alert_contact where contact_key = ${keyOf(SOMEBODY)}`;
    expect(eraseNumber(alerts.parts.store, '07700 900 123')).toEqual({
      kind: 'erased',
      messages: 2,
      watches: 1,
      isOverwritten: true,
    });
    if (store === 'embedded') {
      const kept = readFileSync(`${alerts.dataDir}/inventory.sqlite`).toString('latin1');
      expect(kept).not.toContain(keyOf(SOMEBODY));
      expect(kept).not.toContain(Buffer.from(sealed?.contact_sealed as Uint8Array).toString('latin1'));
      expect(kept).toContain(keyOf(dramaNumber(7)));
    }
    expect(eraseNumber(alerts.parts.store, SOMEBODY)).toEqual({ kind: 'unknown' });
    expect(eraseNumber(alerts.parts.store, 'somebody')).toEqual({ kind: 'invalid' });
    expect(alerts.parts.store.sql.all`select * from alert_suppression`).toEqual([]);
  });

  it.runIf(store === 'embedded')('erases and stops even while a reader keeps the journal open', async () => {
    const reader = openDatabase(alerts.address);
    reader.beginReading();
    expect(reader.prepare('select count(*) as count from alert_contact').get()?.count).toBe(1);
    await alerts.watch(dramaNumber(7), itemKey);
    expect(eraseNumber(alerts.parts.store, SOMEBODY)).toMatchObject({ kind: 'erased', isOverwritten: false });
    expect(finishErasures(alerts.parts.store)).toBe(false);
    await alerts.say(dramaNumber(7), 'STOP');
    expect(alerts.parts.store.sql.all`select key from alert_suppression`).toEqual([
      { key: keyOf(dramaNumber(7)) },
    ]);
    reader.rollback();
    reader.close();
    expect(finishErasures(alerts.parts.store)).toBe(true);
    const kept = readFileSync(`${alerts.dataDir}/inventory.sqlite`).toString('latin1');
    expect(kept).not.toContain(keyOf(SOMEBODY));
  });

  it('deletes more records than fit into one transaction', async () => {
    const { sql } = alerts.parts.store;
    for (let index = 0; index < 1_100; index += 1)
      sql.run`insert into alert_event (event_key, at) values (${`event ${index}`}, ${index})`;
    await deleteExpiredRecords(alerts.parts.store, 30, alerts.now());
    expect(sql.get`select count(*) as count from alert_event where event_key like 'event %'`?.count).toBe(0);
  });

  it('deletes all people without records, and no others', async () => {
    const { database } = alerts.parts.store;
    const people = Array.from({ length: 11_000 }, (_, nth) => [`nobody ${nth}`, new Uint8Array(40), 0]);
    database.addRows('alert_contact', ['contact_key', 'contact_sealed', 'created_at'], people);
    await deleteExpiredRecords(alerts.parts.store, 400, alerts.now());
    const left = database.prepare('select contact_key from alert_contact').rows();
    expect(left).toEqual([[keyOf(SOMEBODY)]]);
  });

  it('keeps only the hash of a stopped number', async () => {
    await alerts.say(SOMEBODY, 'STOP');
    eraseNumber(alerts.parts.store, SOMEBODY);
    expect(rows()).toEqual(nothing);
    // The number's own counts are deleted. Those for the IP address and the number block do not identify it.
    expect(alerts.parts.store.sql.get`select count(*) as count from alert_sign_up_count`?.count).toBe(2);
    expect(alerts.parts.store.sql.all`select key from alert_suppression`).toEqual([{ key: keyOf(SOMEBODY) }]);
    await alerts.signUp(SOMEBODY, itemKey);
    expect(alerts.messages()).toEqual([]);
  });

  it('records nothing more about a person whose records are erased and who stops again', async () => {
    await alerts.say(SOMEBODY, 'delete my data');
    await alerts.say(SOMEBODY, 'yes');
    for (let count = 0; count < 3; count += 1) await alerts.say(SOMEBODY, 'STOP');
    expect(alerts.parts.store.sql.all`select act from alert_consent`).toEqual([]);
    expect(alerts.parts.store.sql.all`select key from alert_suppression`).toEqual([{ key: keyOf(SOMEBODY) }]);
  });

  it('keeps a sign-up that comes within an hour after a deletion', async () => {
    await alerts.say(SOMEBODY, 'delete my data');
    await alerts.say(SOMEBODY, 'yes');
    alerts.passTime(30 * 60_000);
    await alerts.signUp(SOMEBODY, itemKey);
    alerts.passTime(60 * 60_000);
    await deleteExpiredRecords(alerts.parts.store, 30, alerts.now());
    expect(alerts.parts.store.sql.all`select state from alert_watch`).toEqual([{ state: 'asked' }]);
    await alerts.say(SOMEBODY, 'START');
    expect(alerts.parts.store.sql.all`select state from alert_watch`).toEqual([{ state: 'active' }]);
  });

  it('keeps the latest 1,000 replies that a contact sends in the local outbox', async () => {
    await alerts.watch(dramaNumber(7), itemKey);
    const { database, sql } = alerts.parts.store;
    const id = Number(sql.get`select id from alert_contact where contact_key = ${keyOf(SOMEBODY)}`?.id);
    const earlier = Array.from({ length: 1_100 }, (_, nth) => [id, `answer ${nth}`, nth]);
    database.addRows('alert_own_answer', ['contact', 'text', 'at'], earlier);
    await alerts.say(SOMEBODY, 'LIST');
    const kept = () => sql.all`select text from alert_own_answer where contact = ${id} order by id`;
    expect(kept()).toHaveLength(1_000);
    expect(kept().at(0)).toEqual({ text: 'answer 101' });
    expect(kept().at(-1)).toEqual({ text: 'LIST' });
    expect(sql.all`select text from alert_own_answer where contact <> ${id}`).toEqual([{ text: 'YES' }]);
  });

  it('ends watches at departure, and deletes them and their number after the retention time', async () => {
    const { store } = alerts.parts;
    await deleteExpiredRecords(store, 30, alerts.now());
    expect(store.sql.get`select state from alert_watch`?.state).toBe('active');
    alerts.passTime(45 * DAY);
    await deleteExpiredRecords(store, 30, alerts.now());
    expect(store.sql.get`select state from alert_watch`?.state).toBe('ended');
    alerts.passTime(31 * DAY);
    await deleteExpiredRecords(store, 30, alerts.now());
    expect(store.sql.all`select * from alert_contact`).toEqual([]);
    expect(store.sql.get`select count(*) as count from alert_consent`?.count).toBe(2);
    alerts.passTime(730 * DAY);
    await deleteExpiredRecords(store, 30, alerts.now());
    expect(rows()).toEqual(nothing);
  });

  it('ends an unconfirmed watch, and keeps the record of its confirmation request', async () => {
    const { store } = alerts.parts;
    eraseNumber(store, SOMEBODY);
    await alerts.signUp(dramaNumber(1), alerts.itemKeys.at(-1) ?? '');
    alerts.passTime(8 * DAY);
    await deleteExpiredRecords(store, 1, alerts.now());
    expect(store.sql.get`select state from alert_watch`?.state).toBe('ended');
    alerts.passTime(2 * DAY);
    await deleteExpiredRecords(store, 1, alerts.now());
    expect(store.sql.all`select * from alert_contact where contact_key = ${keyOf(dramaNumber(1))}`).toEqual(
      [],
    );
    expect(store.sql.get`select count(*) as count from alert_asked`?.count).toBe(1);
  });

  it('counts watches, messages and stops without personal data', async () => {
    await alerts.signUp(dramaNumber(1), itemKey);
    await alerts.parts.dispatcher.drain();
    await alerts.say(dramaNumber(1), 'stop');
    const metrics = alertMetrics(alerts.parts.store, alerts.now());
    const sending = { isPaused: false, until: null, reason: null };
    expect(metrics).toEqual({
      channels: ['email', 'push'].map((channel) => ({ channel, messages: {}, sending })),
      watches: { active: 1, ended: 1 },
      people: 2,
      messages: { delivered: 4 },
      sent: 4,
      delivered: 4,
      due: 0,
      oldestDueSeconds: 0,
      failedByCode: {},
      unknown: [],
      stops: 1,
      sending: { isPaused: false, until: null, reason: null },
      heldTemplates: [],
      providerStates: [],
    });
  });
});

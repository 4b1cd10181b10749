import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { alertMetrics } from '../../server/alerts/status/alert-metrics.ts';
import { eraseNumber, finishErasures } from '../../server/alerts/tables/erasure.ts';
import { deleteExpiredRecords } from '../../server/alerts/tables/retention.ts';
import { openDatabase } from '../../server/storage/open/database.ts';
import { dramaNumber } from '../fixtures/alerts/drama-numbers.ts';
import { openSmallAlerts, type SmallAlerts, SOMEBODY } from '../fixtures/alerts/small-alerts.ts';
import { holdSnapshot } from '../fixtures/held-transaction.ts';
import { STORE_KINDS } from '../fixtures/test-stores.ts';

const DAY = 24 * 3_600_000;

/** Tables with data about a person. */
const TABLES = [
  'alert_contact',
  'alert_consent',
  'alert_watch',
  'alert_told',
  'alert_message',
  'alert_asked',
];

describe.each(STORE_KINDS)('Deleting records of alerts, in the %s store', (store) => {
  let alerts: SmallAlerts;
  let itemKey: string;
  beforeEach(async () => {
    alerts = await openSmallAlerts({ store });
    itemKey = alerts.itemKeys[0] ?? '';
    await alerts.watch(SOMEBODY, itemKey);
    await alerts.setPrice(itemKey, Math.floor((await alerts.priceOf(itemKey)) * 0.97));
  });
  afterEach(() => alerts.close());

  const rows = async () =>
    await Promise.all(
      TABLES.map(async (table) =>
        Number(
          (await alerts.parts.store.database.prepare(`select count(*) as count from ${table}`).get())?.count,
        ),
      ),
    );
  const nothing = TABLES.map(() => 0);
  const keyOf = (number: string) => alerts.parts.store.keys.keyFor('number', number);

  it('erases a number everywhere, in any spelling, and no other number', async () => {
    await alerts.watch(dramaNumber(7), itemKey);
    const sealed = await alerts.parts.store.sql
      .get`select contact_sealed from alert_contact where contact_key = ${keyOf(SOMEBODY)}`;
    expect(await eraseNumber(alerts.parts.store, '07700 900 123')).toEqual({
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
    expect(await eraseNumber(alerts.parts.store, SOMEBODY)).toEqual({ kind: 'unknown' });
    expect(await eraseNumber(alerts.parts.store, 'somebody')).toEqual({ kind: 'invalid' });
    expect(await alerts.parts.store.sql.all`select * from alert_suppression`).toEqual([]);
  });

  it.runIf(store === 'embedded')('erases and stops even while a reader keeps the journal open', async () => {
    const reader = await openDatabase(alerts.address);
    const held = await holdSnapshot(reader);
    const count = await held.run(({ sql }) => sql.get`select count(*) as count from alert_contact`);
    expect(count?.count).toBe(1);
    await alerts.watch(dramaNumber(7), itemKey);
    expect(await eraseNumber(alerts.parts.store, SOMEBODY)).toMatchObject({
      kind: 'erased',
      isOverwritten: false,
    });
    expect(await finishErasures(alerts.parts.store)).toBe(false);
    await alerts.say(dramaNumber(7), 'STOP');
    expect(await alerts.parts.store.sql.all`select key from alert_suppression`).toEqual([
      { key: keyOf(dramaNumber(7)) },
    ]);
    await held.rollback();
    await reader.close();
    expect(await finishErasures(alerts.parts.store)).toBe(true);
    const kept = readFileSync(`${alerts.dataDir}/inventory.sqlite`).toString('latin1');
    expect(kept).not.toContain(keyOf(SOMEBODY));
  });

  it('overwrites what the clean-up deletes', async () => {
    await alerts.say(SOMEBODY, 'STOP');
    const { sql } = alerts.parts.store;
    const sealed = (await sql.get`select contact_sealed from alert_contact`)?.contact_sealed as Uint8Array;
    // Paused watches can be brought back until their holiday departs.
    alerts.passTime(400 * DAY);
    await deleteExpiredRecords(alerts.parts.store, 30, alerts.now());
    expect(await sql.all`select id from alert_contact`).toHaveLength(1);
    alerts.passTime(31 * DAY);
    await finishErasures(alerts.parts.store);
    await deleteExpiredRecords(alerts.parts.store, 30, alerts.now());
    expect(await sql.all`select id from alert_contact`).toEqual([]);
    expect(await sql.all`select name from note where name = 'alerts.overwrite'`).toHaveLength(1);
    expect(await finishErasures(alerts.parts.store)).toBe(true);
    if (store === 'embedded') {
      const kept = readFileSync(`${alerts.dataDir}/inventory.sqlite`).toString('latin1');
      expect(kept).not.toContain(Buffer.from(sealed).toString('latin1'));
    }
  });

  it('deletes more records than fit into one transaction', async () => {
    const { sql } = alerts.parts.store;
    for (let index = 0; index < 1_100; index += 1)
      await sql.run`insert into alert_event (event_key, at) values (${`event ${index}`}, ${index})`;
    await deleteExpiredRecords(alerts.parts.store, 30, alerts.now());
    expect(
      (await sql.get`select count(*) as count from alert_event where event_key like 'event %'`)?.count,
    ).toBe(0);
  });

  it('deletes all people without records, and no others', async () => {
    const { database } = alerts.parts.store;
    const people = Array.from({ length: 11_000 }, (_, nth) => [`nobody ${nth}`, new Uint8Array(40), 0]);
    await database.write('alerts', (tx) =>
      tx.addRows('alert_contact', ['contact_key', 'contact_sealed', 'created_at'], people),
    );
    await deleteExpiredRecords(alerts.parts.store, 400, alerts.now());
    const left = await database.prepare('select contact_key from alert_contact').rows();
    expect(left).toEqual([[keyOf(SOMEBODY)]]);
  });

  it('keeps only the hash of a stopped number', async () => {
    await alerts.say(SOMEBODY, 'STOP');
    await eraseNumber(alerts.parts.store, SOMEBODY);
    expect(await rows()).toEqual(nothing);
    // The number's own counts are deleted. Those for the IP address and the number block do not identify it.
    expect((await alerts.parts.store.sql.get`select count(*) as count from alert_sign_up_count`)?.count).toBe(
      2,
    );
    expect(await alerts.parts.store.sql.all`select key from alert_suppression`).toEqual([
      { key: keyOf(SOMEBODY) },
    ]);
    await alerts.signUp(SOMEBODY, itemKey);
    expect(await alerts.messages()).toEqual([]);
  });

  it('ends watches at departure, and deletes them and their number after the retention time', async () => {
    const { store } = alerts.parts;
    await deleteExpiredRecords(store, 30, alerts.now());
    expect((await store.sql.get`select state from alert_watch`)?.state).toBe('active');
    alerts.passTime(45 * DAY);
    await deleteExpiredRecords(store, 30, alerts.now());
    expect((await store.sql.get`select state from alert_watch`)?.state).toBe('ended');
    alerts.passTime(31 * DAY);
    await deleteExpiredRecords(store, 30, alerts.now());
    expect(await store.sql.all`select * from alert_contact`).toEqual([]);
    expect((await store.sql.get`select count(*) as count from alert_consent`)?.count).toBe(2);
    alerts.passTime(730 * DAY);
    await deleteExpiredRecords(store, 30, alerts.now());
    expect(await rows()).toEqual(nothing);
  });

  it('ends an unconfirmed watch, and keeps the record of its confirmation request', async () => {
    const { store } = alerts.parts;
    await eraseNumber(store, SOMEBODY);
    await alerts.signUp(dramaNumber(1), alerts.itemKeys.at(-1) ?? '');
    alerts.passTime(8 * DAY);
    await deleteExpiredRecords(store, 1, alerts.now());
    expect((await store.sql.get`select state from alert_watch`)?.state).toBe('ended');
    alerts.passTime(2 * DAY);
    await deleteExpiredRecords(store, 1, alerts.now());
    expect(
      await store.sql.all`select * from alert_contact where contact_key = ${keyOf(dramaNumber(1))}`,
    ).toEqual([]);
    expect((await store.sql.get`select count(*) as count from alert_asked`)?.count).toBe(1);
  });

  it('counts watches, messages and stops without personal data', async () => {
    await alerts.signUp(dramaNumber(1), itemKey);
    await alerts.parts.dispatcher.drain();
    await alerts.say(dramaNumber(1), 'stop');
    const metrics = await alertMetrics(alerts.parts.store, alerts.now());
    const sending = { isPaused: false, until: null, reason: null };
    expect(metrics).toEqual({
      channels: ['email', 'push', 'ntfy'].map((channel) => ({ channel, messages: {}, sending })),
      watches: { active: 1, paused: 1 },
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
    });
  });
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { alertKeys } from '../../server/alerts/keys/alert-keys.ts';
import { HASHED_COLUMNS } from '../../server/alerts/keys/hashed-columns.ts';
import { type LinkPurpose, readToken, signToken } from '../../server/alerts/keys/signed-link.ts';
import { openAlertStore } from '../../server/alerts/tables/alert-store.ts';
import { decryptContact, findContact } from '../../server/alerts/tables/contacts.ts';
import { beginRotation, concludeRotation, moveRecords } from '../../server/alerts/tables/rotate-keys.ts';
import { isSuppressed } from '../../server/alerts/tables/stops.ts';
import { emailBody } from '../fixtures/alerts/channel-bodies.ts';
import { dramaNumber } from '../fixtures/alerts/drama-numbers.ts';
import { openSmallAlerts, type SmallAlerts, SOMEBODY } from '../fixtures/alerts/small-alerts.ts';
import { STORE_KINDS } from '../fixtures/test-stores.ts';

const SECRET = 'a'.repeat(64);
const OLD = Buffer.from(SECRET, 'hex');

describe.each(STORE_KINDS)('Rotating the keys of alerts, in the %s store', (store) => {
  let alerts: SmallAlerts;
  let watched: string;
  beforeEach(async () => {
    alerts = await openSmallAlerts({ store, variables: { ALERTS_KEY: SECRET } });
    watched = alerts.itemKeys[0] ?? '';
    for (let index = 0; index < 5; index += 1) await alerts.watch(dramaNumber(index), watched);
    await alerts.say(dramaNumber(4), 'STOP');
    await alerts.signUp(SOMEBODY, watched);
    const owner = 'owner-0123456789abcdefghij';
    await alerts.service.signUp({
      body: emailBody('some.one@example.com', watched, owner),
      address: '192.0.2.9',
    });
    await alerts.parts.dispatcher.drain();
  });
  afterEach(() => alerts.close());

  /** Another process, with its own connection. */
  const other = (secret: Uint8Array) => openAlertStore(alerts.address, () => alertKeys(secret));
  const begin = (secret: Uint8Array = OLD) => {
    const store = other(secret);
    const begun = beginRotation(store, secret, alerts.now());
    store.close();
    if (begun.kind === 'not concluded') throw new Error(begun.kind);
    return begun.next;
  };
  const rotate = (secret: Uint8Array = OLD) => {
    const next = begin(secret);
    const store = other(secret);
    moveRecords(store, alerts.now(), () => {});
    store.close();
    return next;
  };
  const conclude = (next: Uint8Array) => {
    const store = other(next);
    const isDone = concludeRotation(store, alertKeys(next));
    store.close();
    return isDone;
  };
  const hashes = () =>
    HASHED_COLUMNS.flatMap(([table, column]) =>
      alerts.parts.store.database
        .prepare(`select ${column} from ${table} where ${column} is not null`)
        .rows()
        .map(([hash]) => String(hash)),
    );

  it('has every column with a hash', () => {
    const { database } = alerts.parts.store;
    const columns =
      database.engine === 'sqlite'
        ? database.prepare(
            `select t.name, c.name from sqlite_schema t, pragma_table_info(t.name) c where t.type = 'table'`,
          )
        : database.prepare(
            `select table_name, column_name from information_schema.columns where table_schema = current_schema()`,
          );
    const found = columns
      .rows()
      .map(([table, column]) => [String(table), String(column)] as const)
      .filter(([table, column]) => table.startsWith('alert_') && /^(.+_)?key$/.test(column))
      .filter(([, column]) => column !== 'item_key');
    expect(found.map(String).toSorted()).toEqual(HASHED_COLUMNS.map(String).toSorted());
  });

  it('moves every record, while the running server continues to work', async () => {
    begin();
    // Looking up a record moves it immediately.
    await alerts.say(dramaNumber(0), 'LIST');
    expect(alerts.messages().at(-1)?.text).toContain("You're watching");
    expect(await alerts.signUp(dramaNumber(1), watched)).toMatchObject({ kind: 'ok' });
    expect(alerts.parts.store.sql.get`select count(*) as count from alert_contact`?.count).toBe(7);
    const next = rotate();
    expect(hashes().every((hash) => hash.startsWith('2.'))).toBe(true);
    expect(conclude(next)).toBe(true);

    await alerts.setPrice(watched, Math.floor(alerts.priceOf(watched) * 0.8));
    await alerts.parts.dispatcher.drain();
    const drops = alerts.messages().filter(({ kind, state }) => kind === 'drop' && state === 'delivered');
    expect(drops).toHaveLength(4);
    const fresh = other(next);
    const stopped = findContact(fresh, { number: dramaNumber(4), userId: null });
    expect(stopped !== null && isSuppressed(fresh, stopped)).toBe(true);
    expect(decryptContact(fresh, stopped?.id ?? 0)).toBe(dramaNumber(4));
    fresh.close();
  });

  it('leaves no number that the old key can decrypt, and rejects that key at the next start', () => {
    const next = rotate();
    expect(() => other(OLD).close()).not.toThrow();
    expect(conclude(OLD)).toBe(false);
    expect(conclude(next)).toBe(true);
    expect(() => other(OLD)).toThrow('encrypted with another');
    const sealed = alerts.parts.store.sql.all`select contact_sealed as bytes from alert_contact
      union all select sealed from alert_key union all select older from alert_key`;
    const old = alertKeys(OLD);
    for (const { bytes } of sealed) expect(() => old.open(bytes as Uint8Array)).toThrow();
  });

  it('continues an interrupted rotation with the same key, and rotates again', () => {
    const next = begin();
    expect(Buffer.from(begin()).equals(next)).toBe(true);
    expect(Buffer.from(rotate()).equals(next)).toBe(true);
    conclude(next);
    const third = rotate(next);
    expect(conclude(third)).toBe(true);
    const fresh = other(third);
    for (let index = 0; index < 5; index += 1)
      expect(findContact(fresh, { number: dramaNumber(index), userId: null })).not.toBeNull();
    fresh.close();
  });

  it('accepts earlier links: stop links always, others until the rotation is concluded', () => {
    const { keys } = alerts.parts.store;
    const expiresAt = alerts.now() + 60_000;
    const tokenFor = (purpose: LinkPurpose) =>
      signToken(keys, { purpose, contact: 1, watch: null, expiresAt }, 0);
    const [stop, manage] = [tokenFor('stop'), tokenFor('manage')];
    const kindOf = (token: string) => readToken(keys, token, alerts.now(), () => 0).kind;
    const next = rotate();
    expect([kindOf(stop), kindOf(manage)]).toEqual(['valid', 'valid']);
    expect(tokenFor('stop')).not.toBe(stop);
    conclude(next);
    expect([kindOf(stop), kindOf(manage)]).toEqual(['valid', 'invalid']);
    expect(kindOf(tokenFor('manage'))).toBe('valid');
    const forged = signToken(
      alertKeys(new Uint8Array(32)),
      { purpose: 'stop', contact: 1, watch: null, expiresAt },
      0,
    );
    expect(kindOf(forged)).toBe('invalid');
    const third = rotate(next);
    conclude(third);
    const fresh = other(third);
    expect(readToken(fresh.keys, stop, alerts.now(), () => 0).kind).toBe('valid');
    fresh.close();
  });

  it('stops and finds numbers while records move, on a server that has only the new key', () => {
    const next = begin();
    const fresh = other(next);
    const stopped = fresh.transact(() => findContact(fresh, { number: dramaNumber(4), userId: null }));
    expect(stopped !== null && isSuppressed(fresh, stopped)).toBe(true);
    expect(decryptContact(fresh, stopped?.id ?? 0)).toBe(dramaNumber(4));
    fresh.close();
  });
});

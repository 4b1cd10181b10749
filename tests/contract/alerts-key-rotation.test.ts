import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { alertKeys, type LinkKeys } from '../../server/alerts/keys/alert-keys.ts';
import { HASHED_COLUMNS } from '../../server/alerts/keys/hashed-columns.ts';
import { type LinkPurpose, readToken, signToken } from '../../server/alerts/keys/signed-link.ts';
import { openAlertStore } from '../../server/alerts/tables/alert-store.ts';
import { decryptContact, findContact } from '../../server/alerts/tables/contacts.ts';
import { rotateKeys } from '../../server/alerts/tables/rotate-keys.ts';
import { isSuppressed } from '../../server/alerts/tables/stops.ts';
import { mapInOrder } from '../../server/lib/map-in-order.ts';
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
  const rotate = async (secret: Uint8Array = OLD) => {
    const next = randomBytes(32);
    const store = await other(secret);
    expect(await rotateKeys(store, secret, next, alerts.now())).toBeGreaterThan(0);
    await store.close();
    return next;
  };
  const hashes = async () => {
    const rows = await mapInOrder(HASHED_COLUMNS, ([table, column]) =>
      alerts.parts.store.database
        .prepare(`select ${column} from ${table} where ${column} is not null`)
        .rows(),
    );
    return rows.flat().map(String);
  };

  it('has every column with a hash', async () => {
    const { database } = alerts.parts.store;
    const columns =
      database.engine === 'sqlite'
        ? database.prepare(
            `select t.name, c.name from sqlite_schema t, pragma_table_info(t.name) c where t.type = 'table'`,
          )
        : database.prepare(
            `select table_name, column_name from information_schema.columns where table_schema = current_schema()`,
          );
    const found = (await columns.rows())
      .map(([table, column]) => [String(table), String(column)] as const)
      .filter(([table, column]) => table.startsWith('alert_') && /^(.+_)?key$/.test(column))
      .filter(([, column]) => column !== 'item_key');
    expect(found.map(String).toSorted()).toEqual(HASHED_COLUMNS.map(String).toSorted());
  });

  it('moves every record, keeps stops and numbers, and rotates again', async () => {
    const third = await rotate(await rotate());
    expect((await hashes()).every((hash) => hash.startsWith('3.'))).toBe(true);
    const fresh = await other(third);
    for (let index = 0; index < 5; index += 1) {
      const contact = await findContact(fresh, { number: dramaNumber(index), userId: null });
      expect(await decryptContact(fresh, contact?.id ?? 0)).toBe(dramaNumber(index));
      expect(contact !== null && (await isSuppressed(fresh, contact))).toBe(index === 4);
    }
    await fresh.close();
  });

  it('lets no server with the old key change anything', async () => {
    await rotate();
    await expect(alerts.signUp(dramaNumber(1), watched)).rejects.toThrow('was rotated. Restart this server');
    await expect(() => other(OLD)).rejects.toThrow('encrypted with another');
  });

  it('leaves no number that the old key can decrypt', async () => {
    await rotate();
    const sealed = await alerts.parts.store.sql.all`select contact_sealed as bytes from alert_contact
      union all select older from alert_key`;
    const old = alertKeys(OLD);
    for (const { bytes } of sealed) expect(() => old.open(bytes as Uint8Array)).toThrow();
  });

  it('accepts earlier stop links, but no other earlier links', async () => {
    const expiresAt = alerts.now() + 60_000;
    const tokenFor = (keys: LinkKeys, purpose: LinkPurpose) =>
      signToken(keys, { purpose, contact: 1, watch: null, expiresAt }, 0);
    const { keys } = alerts.parts.store;
    const [stop, manage] = [tokenFor(keys, 'stop'), tokenFor(keys, 'manage')];
    const fresh = await other(await rotate(await rotate()));
    const purposeOf = async (token: string) =>
      (await readToken(fresh.keys, token, alerts.now(), async () => 0))?.purpose;
    const forged = tokenFor(alertKeys(new Uint8Array(32)), 'stop');
    const tokens = [stop, manage, forged, tokenFor(fresh.keys, 'manage')];
    expect(await mapInOrder(tokens, purposeOf)).toEqual(['stop', undefined, undefined, 'manage']);
    await fresh.close();
  });
});

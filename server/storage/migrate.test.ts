import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { withClient } from '../../tests/fixtures/postgres.ts';
import { NOW, REFERENCE, smallOffers } from '../../tests/fixtures/small-inventory.ts';
import { temporaryFolder } from '../../tests/fixtures/temporary-folder.ts';
import { englishDatabase } from '../../tests/fixtures/test-databases.ts';
import { STORE_KINDS, type StoreKind } from '../../tests/fixtures/test-stores.ts';
import { wholeCatalogue } from '../../tests/fixtures/whole-catalogue.ts';
import { readWatchedSearch } from '../alerts/matching/watched-search.ts';
import { inventoryWriter } from '../ingest/inventory-writer.ts';
import { priceEffects } from '../ingest/price-listeners.ts';
import type { OfferRow } from '../inventory/inventory.ts';
import { itemKeyOf } from '../inventory/item-key.ts';
import { offerCodes } from '../inventory/offer-codes.ts';
import { OFFER } from '../inventory/offer-columns.ts';
import { migrationsOf } from './migrate.ts';
import { openDatabase } from './open/database.ts';
import type { SqlDatabase } from './sql-database.ts';
import { embeddedStore } from './store-address.ts';

/** A store of an earlier schema version with these contents, opened and upgraded. SEALED: a binary value. */
async function upgraded(kind: StoreKind, version: number, contents: string): Promise<SqlDatabase> {
  if (kind === 'embedded') {
    const folder = temporaryFolder();
    onTestFinished(folder.remove);
    const store = new DatabaseSync(join(folder.path, 'inventory.sqlite'));
    for (const sql of migrationsOf('sqlite', 0, version)) store.exec(sql);
    store.exec(`${contents.replaceAll('SEALED', `x'00'`)}; pragma user_version = ${version}`);
    store.close();
    return openDatabase(embeddedStore(folder.path));
  }
  const address = await englishDatabase();
  await withClient(address.url, async (client) => {
    for (const sql of migrationsOf('postgresql', 0, version)) await client.query(sql);
    await client.query(contents.replaceAll('SEALED', `'\\x00'`));
    await client.query(`create table schema_version (version integer not null);
      insert into schema_version values (${version})`);
  });
  return openDatabase(address);
}

const RELEASE_0_2_0 = 33;

/** Two people, each with several queued alerts and a reply that has been sent. */
const MESSAGES = `
  insert into alert_contact (contact_key, contact_sealed, channel, created_at)
    values ('one', SEALED, 'whatsapp', 1), ('two', SEALED, 'email', 1);
  insert into alert_watch (contact, number, item_key, resort, nights, party, departure_day, airport, board,
      half_stars, departs_at, state, created_at)
    select id, number, 'key' || number, 'Albir', 7, '2-0-0', 20700, 'LGW', 'HB', 8, 1, 'active', 1
    from alert_contact, (select 1 as number union select 2 union select 3) as numbers;
  insert into alert_message (contact, watch, kind, channel, form, state, due_at, created_at)
    select contact, alert_watch.id, 'drop', channel, 'text', 'queued', number, 1
    from alert_watch join alert_contact on alert_contact.id = contact;
  insert into alert_message (contact, kind, channel, form, state, due_at, created_at, attempt)
    select id, 'reply', channel, 'text', 'accepted', 1, 1, id from alert_contact;
  insert into alert_attempt (message, contact, token, state, started_at, lease_until, message_key)
    select id, contact, 'token ' || contact, 'accepted', 7, 9, 'key ' || contact from alert_message where kind = 'reply';
  update alert_circuit set open_until = 5, reason = 'token refused' where channel = 'whatsapp'`;

async function expectUpgraded(database: SqlDatabase): Promise<void> {
  const messages = database.prepare(`select contact_key, kind, watch, token, message_key
    from alert_message join alert_contact on alert_contact.id = contact order by 1, 2`);
  expect(await messages.rows()).toEqual([
    ['one', 'drop', null, null, null],
    ['one', 'reply', null, 'token 1', 'key 1'],
    ['two', 'drop', null, null, null],
    ['two', 'reply', null, 'token 2', 'key 2'],
  ]);
  expect(
    await database.prepare('select channel, until, reason from alert_pause order by channel').rows(),
  ).toEqual([
    ['email', 0, null],
    ['ntfy', 0, null],
    ['push', 0, null],
    ['whatsapp', 5, 'token refused'],
  ]);
  await database.close();
}

it.each(STORE_KINDS)(
  'An upgrade keeps attempts, pauses and one of a person’s queued price alerts, in the %s store',
  async (kind) => expectUpgraded(await upgraded(kind, RELEASE_0_2_0, MESSAGES)),
);

/** A watch of a package, with a limit in pence if it has one. */
const watchOf = (number: number, itemKey: string, limit: number | null, state = 'active') => {
  const [, , airport, , nights, board, , party] = itemKey.split(':');
  return `insert into alert_watch (contact, number, item_key, resort, nights, party, departure_day, airport, board,
      half_stars, departs_at, state, started, created_at, below_price)
    select id, ${number}, '${itemKey}', 'spain/costa blanca/benidorm', ${nights}, '${party}',
      ${watched[OFFER.departureDay]}, '${airport}', '${decodeURIComponent(board ?? '')}', 8, ${NOW + 1e11}, '${state}', 1, 1, ${limit}
    from alert_contact;`;
};

const watched = smallOffers().find((offer) => offer[OFFER.expiresAt] * 60_000 > NOW) as OfferRow;

it.each(STORE_KINDS)(
  'An upgrade turns limits on packages of 0.2.0 into watches of searches, in the %s store',
  async (kind) => {
    const itemKey = itemKeyOf(offerCodes(wholeCatalogue(REFERENCE))(watched));
    const [provider, hotel, ...rest] = itemKey.split(':');
    const oddKeys = [
      [provider, hotel, ...rest.toSpliced(3, 1, 'ZZ')].join(':'),
      [provider, 'H%2F1%20%26', ...rest].join(':'),
    ] as const;
    const database = await upgraded(
      kind,
      RELEASE_0_2_0,
      `insert into alert_contact (contact_key, contact_sealed, channel, created_at)
         values ('one', SEALED, 'whatsapp', 1);
       ${watchOf(1, itemKey, 55_000)} ${watchOf(2, itemKey.replace(':2-', 'S:2-'), 45_000)}
       ${watchOf(3, oddKeys[0], 55_000)} ${watchOf(4, oddKeys[1], 55_000)}
       ${watchOf(5, itemKey.replace(':2-', 'T:2-'), null)} ${watchOf(6, itemKey, 55_000, 'ended')}`,
    );
    const writer = inventoryWriter(
      database,
      priceEffects(database, () => NOW),
    );
    await writer.replaceReference(REFERENCE);
    const due = database.prepare(
      'select number from alert_search join alert_watch on id = watch where is_due = 1 order by 1',
    );
    for (const [price, numbers] of [
      [60_000, []],
      [55_000, []],
      [54_999, [1]],
      [45_000, [1]],
      [44_999, [1, 2]],
    ] as const) {
      await writer.writeOffers([watched.with(OFFER.price, price) as unknown as OfferRow]);
      expect((await due.rows()).flat(), `at ${price}`).toEqual(numbers);
    }
    const rows = await database.prepare('select number, item_key, resort from alert_watch order by 1').rows();
    expect(rows.filter(([, key]) => !String(key).startsWith('?')).map(([number]) => number)).toEqual([5, 6]);
    const [, , odd, encoded] = rows.map(([, key]) => readWatchedSearch(String(key).slice(1)));
    expect(odd?.request.refine?.boards).toEqual(['ZZ']);
    expect(encoded?.hotelCode).toBe('H/1 &');
    const places = database.prepare(
      'select place from alert_search_place join alert_watch on id = watch where number > 2 order by number',
    );
    expect((await places.rows()).flat()).toEqual([`h:${hotel}`, '*']);
    await writer.close();
  },
);

it('A store of 0.1.0 is rejected until 0.2.0 has upgraded it', async () => {
  await expect(upgraded('embedded', 6, 'select 1')).rejects.toThrow(
    'version 6, which this Skylark cannot upgrade. Start Skylark 0.2.0 with it first',
  );
});

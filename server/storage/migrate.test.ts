import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { withClient } from '../../tests/fixtures/postgres.ts';
import { temporaryFolder } from '../../tests/fixtures/temporary-folder.ts';
import { emptyDatabase } from '../../tests/fixtures/test-databases.ts';
import { readPriceSteps } from '../alerts/matching/running-highs.ts';
import { migrationsOf } from './migrate.ts';
import { openDatabase } from './open/database.ts';
import type { SqlDatabase } from './sql-database.ts';
import { embeddedStore } from './store-address.ts';

const RELEASE_0_1_0 = 6;

const keyOf = (room: string, hotel = 'SOL1') => `SUNW:${hotel}:LGW:2027-06-12:7:HB:${room}:2-0-0`;

const STEPS = [
  { price: 89_990, at: 0, until: 5 },
  { price: 88_225, at: 7, until: null },
];

/** A store written by 0.1.0. `sealed` is a binary literal in the engine's syntax. */
const contentsOf = (description: string, sealed: string) => `
  insert into room (id, code, description) values (1, 'STANDARD', '${description}');
  insert into site_visit (provider, item_key, price, visited_at) values (1, 'any', 1, 1);
  insert into alert_person (number_key, number_sealed, created_at) values ('asked', ${sealed}, 1), ('told', ${sealed}, 1);
  insert into alert_message (person, kind, form, state, due_at, created_at)
    values (1, 'confirm', 'template', 'failed', 1, 1), (2, 'confirm', 'template', 'delivered', 1, 1);
  insert into alert_asked (number_key, at) values ('asked', 1), ('told', 1);
  insert into alert_suppression (key, at) values ('stopped', 1);
  update alert_circuit set open_until = 5, reason = 'token refused';
  ${[keyOf('STANDARD'), keyOf('DOUBLE', 'STANDARD'), keyOf('STANDARD-TWIN')]
    .map(
      (key) => `insert into alert_fallen_price (
        item_key, resort, nights, party, departure_day, airport, board, half_stars, steps
      ) values ('${key}', 'Albir', 7, '2-0-0', 20700, 'LGW', 'HB', 8, '${JSON.stringify(STEPS)}');`,
    )
    .join('\n')}`;

async function expectUpgraded(database: SqlDatabase, code: string): Promise<void> {
  const { sql } = database;
  const keys = [keyOf(code), keyOf('DOUBLE', 'STANDARD'), keyOf('STANDARD-TWIN')];
  expect(await readPriceSteps(database, keys)).toEqual(new Map(keys.map((key) => [key, STEPS])));
  expect(await database.prepare('select code from room').rows()).toEqual([[code]]);
  expect(await sql.all`select * from site_visit`).toEqual([]);
  const asked = await database
    .prepare('select contact_key, went_out from alert_asked order by contact_key')
    .rows();
  expect(asked).toEqual([
    ['asked', 0],
    ['told', 1],
  ]);
  expect(await database.prepare('select key from alert_suppression').rows()).toEqual([['stopped']]);
  expect(
    await database.prepare('select channel, until, reason from alert_pause order by channel').rows(),
  ).toEqual([
    ['email', 0, null],
    ['push', 0, null],
    ['whatsapp', 5, 'token refused'],
  ]);
  await database.close();
}

const ROOMS = [
  ['Standard', 'STANDARD-'],
  ['', 'STANDARD'],
] as const;

describe('A store of 0.1.0', () => {
  it.each(ROOMS)('is upgraded in PostgreSQL, with the room description %j', async (description, code) => {
    const address = await emptyDatabase();
    await withClient(address.url, async (client) => {
      for (const sql of migrationsOf('postgresql', 0, RELEASE_0_1_0)) await client.query(sql);
      await client.query(contentsOf(description, `'\\x00'`));
      await client.query(`create table schema_version (version integer not null);
        insert into schema_version values (${RELEASE_0_1_0})`);
    });
    await expectUpgraded(await openDatabase(address), code);
  });

  it.each(ROOMS)('is upgraded in SQLite, with the room description %j', async (description, code) => {
    const folder = temporaryFolder();
    const store = new DatabaseSync(join(folder.path, 'inventory.sqlite'));
    for (const sql of migrationsOf('sqlite', 0, RELEASE_0_1_0)) store.exec(sql);
    store.exec(`${contentsOf(description, `x'00'`)}; pragma user_version = ${RELEASE_0_1_0}`);
    store.close();
    await expectUpgraded(await openDatabase(embeddedStore(folder.path)), code);
    folder.remove();
  });
});

const BEFORE_ONE_DROP = 34;

const QUEUED_DROPS = `
  insert into alert_contact (contact_key, contact_sealed, channel, created_at)
    values ('one', SEALED, 'whatsapp', 1), ('two', SEALED, 'email', 1);
  insert into alert_watch (contact, number, item_key, resort, nights, party, departure_day, airport, board,
      half_stars, departs_at, state, created_at)
    select id, number, 'key' || number, 'Albir', 7, '2-0-0', 20700, 'LGW', 'HB', 8, 1, 'active', 1
    from alert_contact, (select 1 as number union select 2 union select 3) as numbers;
  insert into alert_message (contact, watch, kind, channel, form, state, due_at, created_at)
    select contact, alert_watch.id, 'drop', channel, 'text', 'queued', number, 1
    from alert_watch join alert_contact on alert_contact.id = contact;
  insert into alert_message (contact, kind, channel, form, state, due_at, created_at)
    select id, 'reply', channel, 'text', 'queued', 1, 1 from alert_contact`;

describe('A person with several queued price alerts', () => {
  const expectOneEach = async (database: SqlDatabase) => {
    const rows = database.prepare(
      'select contact_key, kind, watch from alert_message join alert_contact on alert_contact.id = contact order by 1, 2',
    );
    expect(await rows.rows()).toEqual([
      ['one', 'drop', null],
      ['one', 'reply', null],
      ['two', 'drop', null],
      ['two', 'reply', null],
    ]);
    await database.close();
  };

  it('keeps one after an upgrade in PostgreSQL', async () => {
    const address = await emptyDatabase();
    await withClient(address.url, async (client) => {
      for (const sql of migrationsOf('postgresql', 0, BEFORE_ONE_DROP)) await client.query(sql);
      await client.query(QUEUED_DROPS.replaceAll('SEALED', `'\\x00'`));
      await client.query(`create table schema_version (version integer not null);
        insert into schema_version values (${BEFORE_ONE_DROP})`);
    });
    await expectOneEach(await openDatabase(address));
  });

  it('keeps one after an upgrade in SQLite', async () => {
    const folder = temporaryFolder();
    const store = new DatabaseSync(join(folder.path, 'inventory.sqlite'));
    for (const sql of migrationsOf('sqlite', 0, BEFORE_ONE_DROP)) store.exec(sql);
    store.exec(`${QUEUED_DROPS.replaceAll('SEALED', `x'00'`)}; pragma user_version = ${BEFORE_ONE_DROP}`);
    store.close();
    await expectOneEach(await openDatabase(embeddedStore(folder.path)));
    folder.remove();
  });
});

it('is rejected if an unreleased version wrote it', async () => {
  const folder = temporaryFolder();
  const store = new DatabaseSync(join(folder.path, 'inventory.sqlite'));
  store.exec('pragma user_version = 17');
  store.close();
  await expect(() => openDatabase(embeddedStore(folder.path))).rejects.toThrow(
    'version 17, which no released Skylark wrote',
  );
  folder.remove();
});

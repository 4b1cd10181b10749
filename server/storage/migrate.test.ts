import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { withClient } from '../../tests/fixtures/postgres.ts';
import { smallOffers } from '../../tests/fixtures/small-inventory.ts';
import { temporaryFolder } from '../../tests/fixtures/temporary-folder.ts';
import { emptyDatabase } from '../../tests/fixtures/test-databases.ts';
import { PRICE_CHANGES, queuedColumns } from '../alerts/matching/price-change-queue.ts';
import { readPriceSteps } from '../alerts/matching/running-highs.ts';
import type { OfferRow } from '../inventory/inventory.ts';
import { OFFER } from '../inventory/offer-columns.ts';
import { openDatabase } from './open/database.ts';
import type { SqlDatabase } from './sql-database.ts';
import { embeddedStore } from './store-address.ts';

function migrationsUpTo(engine: SqlDatabase['engine'], version: number): string[] {
  const folder = join(import.meta.dirname, 'migrations', engine);
  const files = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  const first = files.toSorted().slice(0, version);
  return first.map((file) => readFileSync(join(folder, file), 'utf8'));
}

/** Those of a package whose price change waits. */
const WAITING_COLUMNS = PRICE_CHANGES.columns;

/** Brings an empty database to the schema of an earlier version. */
async function migrateUpTo(url: string, version: number): Promise<void> {
  await withClient(url, async (client) => {
    for (const sql of migrationsUpTo('postgresql', version)) await client.query(sql);
    await client.query(`create table schema_version (version integer not null);
      insert into schema_version values (${version})`);
  });
}

describe('A PostgreSQL store of an earlier version', () => {
  it('keeps the price changes that wait for their watches', async () => {
    const address = await emptyDatabase();
    await migrateUpTo(address.url, 17);
    const offers = smallOffers().slice(0, 3);
    const linked = offers.map((offer, nth) =>
      nth === 1 ? offer.with(OFFER.link, 'https://www.made.example/ä"\\?a=1') : offer,
    );
    await withClient(address.url, async (client) => {
      await client.query('insert into alert_price_batch (moment) values (4)');
      for (const [nth, offer] of linked.entries()) {
        await client.query('insert into alert_price_change (batch, was, offer) values (1, $1, $2)', [
          nth === 2 ? null : 77_000 + nth,
          JSON.stringify(offer),
        ]);
      }
    });
    const database = openDatabase(address);
    const columns = ['batch', 'id', 'was', ...WAITING_COLUMNS].join(', ');
    const waiting = database.prepare(`select ${columns} from alert_price_change order by id`);
    expect(waiting.rows()).toEqual(
      linked.map((offer, nth) => [
        1,
        nth + 1,
        nth === 2 ? null : 77_000 + nth,
        ...queuedColumns(offer as OfferRow),
      ]),
    );
    database.addRows(
      'alert_price_change',
      ['batch', 'was', ...WAITING_COLUMNS],
      offers.slice(0, 1).map((offer) => [1, 5, ...queuedColumns(offer)]),
    );
    expect(waiting.rows().at(-1)?.[1]).toBe(4);
    database.close();
  });

  it.each([
    ['Standard', 'STANDARD-'],
    ['', 'STANDARD'],
  ])('keeps the watches of packages whose room is described as %j', async (description, code) => {
    const address = await emptyDatabase();
    await migrateUpTo(address.url, 18);
    const keyOf = (room: string, hotel: string) => `SUNW:${hotel}:LGW:2027-06-12:7:HB:${room}:2-0-0`;
    const keys = (room: string) => [
      keyOf(room, 'SOL1'),
      keyOf('DOUBLE', 'STANDARD'),
      keyOf('STANDARD-TWIN', 'SOL1'),
    ];
    await withClient(address.url, async (client) => {
      await client.query("insert into room (id, code, description) values (1, 'STANDARD', $1)", [
        description,
      ]);
      for (const key of keys('STANDARD')) {
        await client.query('insert into alert_gone_price (item_key, price, gone_at) values ($1, 1, 1)', [
          key,
        ]);
      }
    });
    const database = openDatabase(address);
    expect(database.prepare('select code, description from room').rows()).toEqual([[code, description]]);
    const watched = database.prepare('select item_key from alert_gone_price').rows().flat();
    expect(new Set(watched)).toEqual(new Set(keys(code)));
    database.close();
  });
});

describe('Price steps that an earlier version has stored', () => {
  const STEPS = [
    { price: 89_990, at: 0, until: 5 },
    { price: 88_225, at: 7, until: null },
  ];
  const INSERT = `insert into alert_fallen_price (item_key, departure_day, steps)
    values ('SUNW:SOL1', 20700, '${JSON.stringify(STEPS)}')`;

  function expectSteps(database: SqlDatabase): void {
    expect(readPriceSteps(database, ['SUNW:SOL1'])).toEqual(new Map([['SUNW:SOL1', STEPS]]));
    database.close();
  }

  it('are kept in PostgreSQL', async () => {
    const address = await emptyDatabase();
    await migrateUpTo(address.url, 24);
    await withClient(address.url, (client) => client.query(INSERT));
    expectSteps(openDatabase(address));
  });

  it('are kept in the embedded store', () => {
    const folder = temporaryFolder();
    const store = new DatabaseSync(join(folder.path, 'inventory.sqlite'));
    for (const sql of migrationsUpTo('sqlite', 24)) store.exec(sql);
    store.exec(`${INSERT}; pragma user_version = 24`);
    store.close();
    expectSteps(openDatabase(embeddedStore(folder.path)));
    folder.remove();
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withClient } from '../../tests/fixtures/postgres.ts';
import { smallOffers } from '../../tests/fixtures/small-inventory.ts';
import { emptyDatabase } from '../../tests/fixtures/test-databases.ts';
import { PRICE_CHANGES, waitingColumns } from '../alerts/matching/waiting-changes.ts';
import type { OfferRow } from '../inventory/inventory.ts';
import { OFFER } from '../inventory/offer-columns.ts';
import { openDatabase } from './open/database.ts';

const MIGRATIONS = join(import.meta.dirname, 'migrations/postgresql');

/** Those of a package whose price change waits. */
const WAITING_COLUMNS = PRICE_CHANGES.columns;

/** Brings an empty database to the schema of an earlier version. */
async function migrateUpTo(url: string, version: number): Promise<void> {
  const files = readdirSync(MIGRATIONS)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
    .slice(0, version);
  await withClient(url, async (client) => {
    for (const file of files) await client.query(readFileSync(join(MIGRATIONS, file), 'utf8'));
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
        ...waitingColumns(offer as OfferRow),
      ]),
    );
    database.addRows(
      'alert_price_change',
      ['batch', 'was', ...WAITING_COLUMNS],
      offers.slice(0, 1).map((offer) => [1, 5, ...waitingColumns(offer)]),
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

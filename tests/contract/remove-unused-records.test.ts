import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OFFER } from '../../server/inventory/offer-columns.ts';
import { REFERENCE_VERSION, readReferenceTables } from '../../server/inventory/tables/reference-tables.ts';
import { removeUnusedRecords } from '../../server/inventory/tables/remove-unused-records.ts';
import { HISTORY_REFERENCES } from '../../server/price-history/history-table.ts';
import { writeNote } from '../../server/storage/notes.ts';
import { FEED_NOW, type FeedSite, feedItem, makeFeedSite, ndjson } from '../fixtures/feed-site.ts';
import { STORE_KINDS } from '../fixtures/test-stores.ts';

const AN_HOUR = 3_600_000;

const items = (from: number, to: number, change: Record<string, unknown> = {}) =>
  Array.from({ length: to - from }, (_, index) => {
    const nth = from + index;
    return feedItem({
      HotelIdentifierCode: `H${nth}`,
      HotelName: `Hotel ${nth}`,
      RoomTypeDescription: `Room ${nth}`,
      FlightNumber_Outbound: `SW${nth}`,
      FlightNumber_Inbound: `SW${nth + 1_000}`,
      ...change,
    });
  });

describe.each(STORE_KINDS)('The dictionaries of the %s store', (kind) => {
  let site: FeedSite;
  beforeEach(async () => {
    site = await makeFeedSite(kind);
  });
  afterEach(() => site.close());

  async function importItems(of: Record<string, unknown>[], hour: number): Promise<void> {
    site.setNow(FEED_NOW + hour * AN_HOUR);
    const { exit, out } = await site.run(['import', '-', '--provider', 'SUNW', '--accept'], ndjson(of));
    if (exit !== 0) throw new Error(out);
  }
  const sizes = async () => {
    const { hotels, flights, rooms, resorts } = await readReferenceTables(site.database());
    return { hotels: hotels.length, flights: flights.length, rooms: rooms.length, resorts: resorts.length };
  };
  const forgetHistory = () => site.database().exec('delete from price_observation');

  it('drop the flights of removed packages', async () => {
    await importItems(items(0, 40), 0);
    expect(await sizes()).toMatchObject({ flights: 80 });
    await importItems(items(20, 40), 1);
    expect(await sizes()).toMatchObject({ flights: 40 });
    expect(await site.offers()).toHaveLength(20);
  });

  it('keep a hotel while it has a price history', async () => {
    await importItems(items(0, 40), 0);
    await importItems(items(10, 40, { HolidayResort: 'Albir' }).map(renamed), 1);
    expect(await sizes()).toMatchObject({ hotels: 70, rooms: 40, resorts: 2 });
    await forgetHistory();
    await importItems(items(10, 39, { HolidayResort: 'Albir' }).map(renamed), 2);
    // The last hotel stays, so that its ID is not reused.
    expect(await sizes()).toMatchObject({ hotels: 30, resorts: 1 });
  });

  it('drop the records of a removed provider, and never reuse an id', async () => {
    await importItems(items(0, 40), 0);
    const before = await readReferenceTables(site.database());
    expect((await site.run(['remove', 'SUNW', '--yes'])).exit).toBe(0);
    expect(await sizes()).toEqual({ hotels: 40, flights: 1, rooms: 40, resorts: 1 });
    await forgetHistory();
    expect((await site.run(['remove', 'SUNW', '--yes'])).exit).toBe(0);
    expect(await sizes()).toEqual({ hotels: 1, flights: 1, rooms: 1, resorts: 1 });
    await importItems(items(0, 40), 1);
    const after = await readReferenceTables(site.database());
    for (const dictionary of ['hotels', 'flights', 'rooms'] as const) {
      const known = new Map(before[dictionary].map((record) => [record.id, record]));
      for (const record of after[dictionary]) {
        const earlier = known.get(record.id);
        if (earlier !== undefined) expect(record).toEqual(earlier);
      }
      expect(Math.max(...after[dictionary].map(({ id }) => id))).toBeGreaterThan(known.size);
    }
  });

  it('keep the records of every package', async () => {
    await importItems(items(0, 40), 0);
    await importItems(items(20, 60), 1);
    await importItems(items(5, 30), 2);
    const { hotels, flights, rooms, resorts } = await readReferenceTables(site.database());
    const has = (records: readonly { id: number }[]) => new Set(records.map(({ id }) => id));
    const ids = { hotels: has(hotels), flights: has(flights), rooms: has(rooms), resorts: has(resorts) };
    for (const offer of await site.offers()) {
      expect(ids.resorts).toContain(offer[OFFER.resort]);
      expect(ids.hotels).toContain(offer[OFFER.hotel]);
      expect(ids.rooms).toContain(offer[OFFER.room]);
      expect(ids.flights).toContain(offer[OFFER.outboundFlight]);
      expect(ids.flights).toContain(offer[OFFER.inboundFlight]);
    }
  });

  it('stay unchanged if an import writes during the clean-up', async () => {
    await importItems(items(0, 40), 0);
    const database = site.database();
    await database.exec('delete from offer');
    let isWritten = false;
    const removed = await removeUnusedRecords(database, HISTORY_REFERENCES, async () => {
      if (!isWritten) await writeNote(database, REFERENCE_VERSION, 'another');
      isWritten = true;
    });
    expect(removed).toBe(0);
    expect(await sizes()).toMatchObject({ hotels: 40, flights: 80 });
  });

  it.runIf(kind === 'postgresql')(
    'stay locked for an import that reconnects while it reads its feed',
    async () => {
      const isShared = `database = (select oid from pg_database where datname = current_database())
        and classid = 7759105 and objid = hashtext('records in use')::bigint & 4294967295`;
      const database = site.database();
      // Each inserting statement records whether its transaction shares the lock.
      await database.exec(`create table sharing (written text, is_shared boolean);
      create function note_sharing() returns trigger language plpgsql as $$ begin
        insert into sharing select tg_table_name, exists (
          select from pg_locks where locktype = 'advisory' and pid = pg_backend_pid() and ${isShared});
        return null;
      end $$;
      create trigger note_sharing before insert on hotel for each statement execute function note_sharing();
      create trigger note_sharing before insert on offer for each statement execute function note_sharing()`);
      const lost: unknown[] = [];
      // The lock of the whole import, not the one of a transaction.
      const terminate = `select pg_terminate_backend(pid)::int from pg_locks where ${isShared}
        and pid in (select pid from pg_stat_activity where state = 'idle')`;
      site.whileReading(async () => {
        lost.push(...(await database.prepare(terminate).rows()).flat());
      });
      const words = ['import', '-', '--provider', 'SUNW', '--accept'];
      const imported = await site.run(words, ndjson(items(0, 40)));
      expect(imported).toMatchObject({ exit: 0 });
      expect(lost).toEqual([1]);
      const sharing = await database
        .prepare('select distinct written, is_shared::int from sharing order by 1')
        .rows();
      expect(sharing).toEqual([
        ['hotel', 1],
        ['offer', 1],
      ]);
      expect(await site.offers()).toHaveLength(40);
    },
  );

  it('stop an import whose records the clean-up removed, or wait for it', async () => {
    await importItems(items(0, 40), 0);
    const database = site.database();
    // The packages are gone, so their records are removed while the next feed is read.
    await database.exec('delete from offer; delete from price_observation');
    site.whileReading(async () => {
      await removeUnusedRecords(database, HISTORY_REFERENCES);
    });
    const importing = importItems(items(0, 40), 1);
    if (kind === 'embedded') {
      await expect(importing).rejects.toThrow('has changed since the import began');
      await importItems(items(0, 40), 2);
    } else await importing;
    expect(await site.offers()).toHaveLength(40);
  });
});

/** The item with a different hotel code, for a hotel in a different resort. */
function renamed(item: Record<string, unknown>): Record<string, unknown> {
  return { ...item, HotelIdentifierCode: `ALB-${String(item.HotelIdentifierCode)}` };
}

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../tests/fixtures/temporary-folder.ts';
import type { OfferRow } from '../../inventory/inventory.ts';
import { OFFER } from '../../inventory/offer-columns.ts';
import {
  addReferenceRecords,
  readReferenceTables,
  updateReferenceRecords,
} from '../../inventory/tables/reference-tables.ts';
import { openDatabase } from '../../storage/open/database.ts';
import type { SqlDatabase } from '../../storage/sql-database.ts';
import { embeddedStore } from '../../storage/store-address.ts';
import { openStaging, type Staging } from '../write/staging.ts';
import { type FeedDictionaries, feedDictionaries, type RecordTransaction } from './feed-dictionaries.ts';
import type { FeedPackage } from './feed-package.ts';

let folder: ReturnType<typeof temporaryFolder>;
let store: SqlDatabase;
const stagings: Staging[] = [];
beforeEach(async () => {
  folder = temporaryFolder();
  store = await openDatabase(embeddedStore(folder.path));
});
afterEach(async () => {
  for (const staging of stagings.splice(0)) staging.close();
  await store.close();
  folder.remove();
});

const inStore: RecordTransaction = (work) => store.write('dictionaries', work);

/** The dictionaries of an import that adds new records at its end, or in `transaction`. */
async function dictionariesOf(transaction: RecordTransaction | null = null): Promise<FeedDictionaries> {
  const staging = openStaging(`${folder.path}/staging-${stagings.length}`);
  stagings.push(staging);
  return feedDictionaries(store, staging.database, {
    provider: {
      code: 'SUNW',
      name: 'Sunward',
      linkHosts: [],
      upgradeHosts: [],
      photoHosts: [],
      linkTemplate: null,
      hotelCodes: 'own',
      pricesIncludeLocalCharges: false,
      logoUrl: null,
      atol: null,
      feed: null,
      priceCheck: null,
    },
    airports: { isDeparture: () => true, find: (code) => ({ code, name: code, timezone: 'Europe/London' }) },
    isChanges: false,
    transaction,
    async onWalked() {},
  });
}

/** Every row has a different flight, hotel, room and place. */
function packageOf(nth: number, hotel: Partial<FeedPackage['hotel']> = {}): FeedPackage {
  const flight = { number: `U2${nth}`, airline: 'Air|Line', origin: 'LGW', destination: 'PMI' };
  return {
    line: nth,
    fingerprint: null,
    hotel: {
      code: `H${nth}`,
      name: `Hotel ${nth}`,
      halfStars: 8,
      consumerRating: null,
      latitude: null,
      longitude: null,
      ...hotel,
    },
    place: {
      country: 'Spain',
      region: `Region ${nth % 50}`,
      resort: `Resort ${nth}`,
      isListed: true,
      isRegionListed: true,
    },
    airport: 'LGW',
    departureDay: 20_000,
    nights: 7,
    adults: 2,
    children: 0,
    infants: 0,
    board: 'AI',
    room: { code: `ROOM-${nth}`, description: `Room ${nth}` },
    price: 80_000,
    priceBefore: null,
    localCharges: null,
    outbound: { ...flight, departureMinute: 400, durationSeconds: 9_000 },
    inbound: { ...flight, departureMinute: 900, durationSeconds: null },
    luggage: 1,
    extras: 0,
    expiresAt: 30_000_000,
    isDeleted: false,
    sequence: null,
    link: null,
  };
}

const packages = (from: number, to: number, hotel: Partial<FeedPackage['hotel']> = {}) =>
  Array.from({ length: to - from }, (_, nth) => packageOf(from + nth, hotel));

/** The fields of a refused package's problems, or the package's row. */
async function rowOf(dictionaries: FeedDictionaries, offer: FeedPackage): Promise<OfferRow | string[]> {
  const [made] = await dictionaries.rowsOf([offer], 1);
  return made?.row ?? (made?.problems ?? []).map(({ field }) => field);
}

describe('the dictionaries of an import', () => {
  it('find every record that the store has', async () => {
    const first = await dictionariesOf();
    const rows = await first.rowsOf(packages(0, 400), 1);
    expect(first.hasChanges()).toBe(true);
    expect(await first.rowsOf(packages(0, 400), 1)).toEqual(rows);
    await addReferenceRecords(store, first.additions());
    const { hotels, flights } = await readReferenceTables(store);
    expect([hotels.length, flights.length]).toEqual([400, 800]);

    const again = await dictionariesOf();
    expect(await again.rowsOf(packages(0, 400), 1)).toEqual(rows);
    expect(again.hasChanges()).toBe(false);
  });

  it('use the ids of records that another import has added meanwhile', async () => {
    const [own, other] = [await dictionariesOf(inStore), await dictionariesOf(inStore)];
    const even = await other.rowsOf(
      packages(0, 400).filter(({ line }) => line % 2 === 0),
      1,
    );
    const all = await own.rowsOf(packages(0, 400), 1);
    expect(all.filter((_, nth) => nth % 2 === 0)).toEqual(even);
    const { hotels, flights, rooms, providers } = await readReferenceTables(store);
    expect([hotels.length, flights.length, rooms.length, providers.length]).toEqual([400, 800, 400, 1]);
  });

  it('add nothing if the batch fails', async () => {
    const dictionaries = await dictionariesOf(inStore);
    const wrong = {
      ...packageOf(1),
      get nights(): number {
        throw new Error('wrong');
      },
    };
    await expect(() => dictionaries.rowsOf([packageOf(0), wrong], 1)).rejects.toThrow('wrong');
    expect((await readReferenceTables(store)).hotels).toEqual([]);
  });

  it('return star ratings that later lines add', async () => {
    const dictionaries = await dictionariesOf();
    const row = await rowOf(dictionaries, packageOf(0, { halfStars: 0 }));
    await rowOf(dictionaries, packageOf(1));
    await rowOf(dictionaries, packageOf(0, { halfStars: 7 }));
    expect(dictionaries.corrected(row as OfferRow)[OFFER.halfStars]).toBe(7);
    expect([...(dictionaries.updates().hotels ?? [])]).toMatchObject([{ code: 'H0', halfStars: 7 }]);
  });

  it('keep the description of the feed’s first line for a hotel', async () => {
    const before = await dictionariesOf();
    await rowOf(before, packageOf(0, { name: 'Old name' }));
    await addReferenceRecords(store, before.additions());

    const dictionaries = await dictionariesOf();
    await rowOf(dictionaries, packageOf(0, { name: 'First', halfStars: 6 }));
    expect(await rowOf(dictionaries, packageOf(0, { name: 'Second', halfStars: 10 }))).toEqual([
      'HotelName',
      'StarRating',
    ]);
    await updateReferenceRecords(store, dictionaries.updates());
    expect((await readReferenceTables(store)).hotels).toMatchObject([{ id: 1, name: 'First', halfStars: 6 }]);
  });
});

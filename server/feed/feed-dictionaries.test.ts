import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../tests/fixtures/temporary-folder.ts';
import type { OfferRow } from '../inventory/inventory.ts';
import { OFFER } from '../inventory/offer-columns.ts';
import {
  addReferenceRecords,
  readReferenceTables,
  updateReferenceRecords,
} from '../inventory/tables/reference-tables.ts';
import { openDatabase } from '../storage/open/database.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import { embeddedStore } from '../storage/store-address.ts';
import { type FeedDictionaries, feedDictionaries } from './feed-dictionaries.ts';
import type { FeedPackage } from './feed-package.ts';
import { openStaging, type Staging } from './write/staging.ts';

const DICTIONARIES = 10;
const ROWS = 400;

let folder: ReturnType<typeof temporaryFolder>;
let store: SqlDatabase;
const stagings: Staging[] = [];
beforeEach(() => {
  folder = temporaryFolder();
  store = openDatabase(embeddedStore(folder.path));
});
afterEach(() => {
  for (const staging of stagings.splice(0)) staging.close();
  store.close();
  folder.remove();
});

function dictionariesOf(most: number): FeedDictionaries {
  const staging = openStaging(`${folder.path}/staging-${stagings.length}`);
  stagings.push(staging);
  return feedDictionaries(store, staging, {
    provider: {
      code: 'SUNW',
      name: 'Sunward',
      linkHosts: [],
      linkTemplate: null,
      hotelCodes: 'own',
      logoUrl: null,
      atol: null,
    },
    airports: { isDeparture: () => true, find: (code) => ({ code, name: code, timezone: 'Europe/London' }) },
    most,
    onWalked() {},
  });
}

/** Every row has a different flight, hotel, room and place. */
function packageOf(nth: number, hotel: Partial<FeedPackage['hotel']> = {}): FeedPackage {
  const flight = { number: `U2${nth}`, airline: 'Air|Line', origin: 'LGW', destination: 'PMI' };
  return {
    line: nth,
    hotel: {
      code: `H${nth}`,
      name: `Hotel ${nth}`,
      halfStars: 8,
      consumerRating: null,
      latitude: null,
      longitude: null,
      ...hotel,
    },
    place: { country: 'Spain', region: `Region ${nth % 50}`, resort: `Resort ${nth}`, isListed: true },
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
    outbound: { ...flight, departureMinute: 400, durationSeconds: 9_000 },
    inbound: { ...flight, departureMinute: 900, durationSeconds: null },
    luggage: 1,
    expiresAt: 30_000_000,
    link: null,
  };
}

function rowOf(dictionaries: FeedDictionaries, nth: number): OfferRow {
  const made = dictionaries.rowOf(packageOf(nth), 1);
  if (made.kind === 'refused') throw new Error('The package was refused');
  return made.row;
}

describe('the dictionaries of an import', () => {
  it('keep few records in memory, and number them as if all were in memory', () => {
    const small = dictionariesOf(5);
    const large = dictionariesOf(10_000);
    // Each row twice, the second time after its records have left the caches.
    for (let row = 0; row < ROWS * 2; row += 1) {
      const offer = packageOf(row % ROWS);
      expect(small.rowOf(offer, 1)).toEqual(large.rowOf(offer, 1));
      // Each cache has two generations.
      expect(small.held()).toBeLessThanOrEqual((DICTIONARIES * 2 + 1) * 2 * 5);
    }
    expect(large.held()).toBeGreaterThan(ROWS * 4);
    const written = (dictionaries: FeedDictionaries) =>
      Object.entries(dictionaries.additions()).map(([name, records]) => [name, [...records]]);
    expect(written(small)).toEqual(written(large));
  });

  it('have no changes if the store has every record', () => {
    const first = dictionariesOf(5);
    const rows = Array.from({ length: ROWS }, (_, nth) => first.rowOf(packageOf(nth), 1));
    expect(first.hasChanges()).toBe(true);
    addReferenceRecords(store, first.additions());
    expect(readReferenceTables(store).flights).toHaveLength(ROWS * 2);

    const again = dictionariesOf(5);
    expect(Array.from({ length: ROWS }, (_, nth) => again.rowOf(packageOf(nth), 1))).toEqual(rows);
    expect(again.hasChanges()).toBe(false);
  });

  it('number new records again in little memory, as what another import has stored meanwhile', () => {
    const [own, other] = [dictionariesOf(5), dictionariesOf(5)];
    // The other import has every second package, in another order, and packages of its own.
    const otherRows = new Map<number, OfferRow>();
    for (let nth = ROWS * 2; nth >= 0; nth -= 2) otherRows.set(nth, rowOf(other, nth));
    const rows = Array.from({ length: ROWS }, (_, nth) => rowOf(own, nth));
    addReferenceRecords(store, other.additions());

    const renumbering = own.renumber();
    if (renumbering.kind !== 'moved') throw new Error(renumbering.kind);
    addReferenceRecords(store, own.additions());
    const { hotels, flights, rooms } = readReferenceTables(store);
    expect([hotels.length, flights.length, rooms.length]).toEqual([601, 1_202, 601]);
    const numberOf = <T extends { id: number }>(records: readonly T[], key: (record: T) => string) =>
      new Map(records.map((record) => [key(record), record.id]));
    const hotelIds = numberOf(hotels, ({ code }) => code);
    const roomIds = numberOf(rooms, ({ code }) => code);
    const flightIds = numberOf(flights, ({ number, departureMinute }) => `${number} ${departureMinute}`);
    for (const [nth, row] of rows.entries()) {
      const now = renumbering.map(row);
      expect([
        now[OFFER.hotel],
        now[OFFER.room],
        now[OFFER.outboundFlight],
        now[OFFER.inboundFlight],
      ]).toEqual([
        hotelIds.get(`H${nth}`),
        roomIds.get(`ROOM-${nth}`),
        flightIds.get(`U2${nth} 400`),
        flightIds.get(`U2${nth} 900`),
      ]);
      if (nth % 2 === 0) expect(now).toEqual(otherRows.get(nth));
      expect(own.held()).toBeLessThanOrEqual((DICTIONARIES * 3 + 1) * 2 * 5);
    }
  });

  it('correct staged rows by what later lines have said of their hotels, in little memory', () => {
    const dictionaries = dictionariesOf(5);
    const [staging] = stagings;
    for (let nth = 0; nth < ROWS; nth += 1) {
      const made = dictionaries.rowOf(packageOf(nth, { halfStars: 0 }), 1);
      if (made.kind === 'row') staging?.add(made.row, nth);
    }
    for (let nth = 0; nth < ROWS; nth += 2) dictionaries.rowOf(packageOf(nth, { halfStars: 7 }), 1);
    dictionaries.end();
    const stars = [...(staging?.sorted() ?? [])].map(({ row, line }) => [line, row[OFFER.halfStars]]);
    expect(stars.toSorted(([one = 0], [other = 0]) => one - other)).toEqual(
      Array.from({ length: ROWS }, (_, nth) => [nth, nth % 2 === 0 ? 7 : 0]),
    );
    expect(dictionaries.held()).toBeLessThanOrEqual((DICTIONARIES * 2 + 2) * 2 * 5);
  });

  it('keep the description of the feed’s first line for a hotel', () => {
    const before = dictionariesOf(5);
    before.rowOf(packageOf(0, { name: 'Old name' }), 1);
    addReferenceRecords(store, before.additions());

    const dictionaries = dictionariesOf(5);
    dictionaries.rowOf(packageOf(0, { name: 'First', halfStars: 6 }), 1);
    for (let nth = 1; nth < ROWS; nth += 1) dictionaries.rowOf(packageOf(nth), 1);
    const made = dictionaries.rowOf(packageOf(0, { name: 'Second', halfStars: 10 }), 1);
    expect(made.kind === 'refused' && made.problems.map(({ field }) => field)).toEqual([
      'HotelName',
      'StarRating',
    ]);
    addReferenceRecords(store, dictionaries.additions());
    const updates = Object.entries(dictionaries.updates()).map(([name, records]) => [
      name,
      [...records].length,
    ]);
    // What is new was written above, once.
    expect(updates.filter(([, records]) => records !== 0)).toEqual([['hotels', 1]]);
    updateReferenceRecords(store, dictionaries.updates());
    expect(readReferenceTables(store).hotels[0]).toMatchObject({ id: 1, name: 'First', halfStars: 6 });
  });
});

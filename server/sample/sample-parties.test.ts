import { beforeAll, describe, expect, it } from 'vitest';
import { addDays, addMonths, daysBetween } from '../../domain/calendar-date.ts';
import { DURATIONS } from '../../domain/duration.ts';
import { isSchoolHoliday } from '../../domain/school-holidays.ts';
import { isFreeChildRoom } from '../inventory/free-child-room.ts';
import type { OfferRow } from '../inventory/inventory.ts';
import { OFFER } from '../inventory/offer-columns.ts';
import { offersOfDay } from './offers-of-day.ts';
import { sampleMarket } from './sample-market.ts';

const market = sampleMarket(1);
const TODAY = '2026-11-21';
const IN_TERM = '2027-06-12';
const [COUPLE, SOLO, FAMILY_OF_3, FAMILY_OF_4] = [1, 2, 3, 4];
const rooms = new Map(market.reference.rooms.map((room) => [room.id, room]));
const hasFreeChild = (row: OfferRow) => isFreeChildRoom(rooms.get(row[OFFER.room])?.code ?? '');

let rows: OfferRow[];
beforeAll(() => {
  rows = offersOfDay(market, IN_TERM, TODAY, 1);
});

/** Pairs a party's packages with the same packages for two adults in a plain room. */
function besideCouples(party: number | undefined): [own: OfferRow, couple: OfferRow][] {
  const packageOf = (row: OfferRow) =>
    [OFFER.nights, OFFER.airport, OFFER.hotel, OFFER.board, OFFER.provider].map((at) => row[at]).join();
  const couples = new Map(
    rows
      .filter((row) => row[OFFER.party] === COUPLE && row[OFFER.room] === 1)
      .map((row) => [packageOf(row), row]),
  );
  return rows
    .filter((row) => row[OFFER.party] === party)
    .flatMap((row) => {
      const couple = couples.get(packageOf(row));
      return couple === undefined ? [] : [[row, couple] as [OfferRow, OfferRow]];
    });
}

function relativePrices(party: number | undefined, isChildFree: boolean): number[] {
  const compared = besideCouples(party).filter(([own]) => hasFreeChild(own) === isChildFree);
  expect(compared.length).toBeGreaterThan(50);
  return compared.map(([own, couple]) => own[OFFER.price] / couple[OFFER.price]);
}

describe('The parties of the sample', () => {
  it('are one adult, two adults, and two adults with one and with two children, for every length of stay', () => {
    expect(
      market.reference.parties.map(({ adults, children, infants }) => [adults, children, infants]),
    ).toEqual([
      [2, 0, 0],
      [1, 0, 0],
      [2, 1, 0],
      [2, 2, 0],
    ]);
    for (const nights of DURATIONS) {
      const sold = new Set(rows.flatMap((row) => (row[OFFER.nights] === nights ? [row[OFFER.party]] : [])));
      expect(sold).toEqual(new Set([1, 2, 3, 4]));
    }
  });

  it('add up to at most 12.5 million packages in 18 months', () => {
    const ahead = [1, 60, 120, 180, 240, 300, 360, 420, 480, 540];
    const sizes = ahead.map((days) => offersOfDay(market, addDays(TODAY, days), TODAY, 1).length);
    const mean = sizes.reduce((total, size) => total + size, 0) / sizes.length;
    expect(mean * daysBetween(TODAY, addMonths(TODAY, 18))).toBeLessThan(12_500_000);
  });

  it.each(['2027-02-13', '2027-04-03', '2027-06-01', '2027-08-14', '2027-10-23'])(
    'find at least 20 hotels on popular routes, as families in the school holidays: %s',
    (day) => {
      expect(isSchoolHoliday(day)).toBe(true);
      const routes = [
        'Majorca',
        'Tenerife',
        'Algarve',
        'Crete',
        'Antalya',
        'Costa Blanca',
        'Lanzarote',
        'Rhodes',
        'Corfu',
      ];
      const offers = offersOfDay(market, day, TODAY, 1);
      for (const name of routes) {
        const region = market.reference.regions.find((one) => one.name === name)?.id;
        for (const code of ['MAN', 'LGW', 'BHX']) {
          const airport = market.reference.airports.find((one) => one.code === code)?.id;
          const own = offers.filter((row) => row[OFFER.region] === region && row[OFFER.airport] === airport);
          for (const party of [COUPLE, FAMILY_OF_3, FAMILY_OF_4])
            for (const nights of [7, 10, 14]) {
              const found = own.filter((row) => row[OFFER.party] === party && row[OFFER.nights] === nights);
              const hotels = new Set(found.map((row) => row[OFFER.hotel])).size;
              expect(hotels, `${name} ${code} ${party} ${nights}`).toBeGreaterThanOrEqual(20);
            }
        }
      }
    },
  );

  it('never include children in an adults-only hotel', () => {
    const hotels = new Map(
      market.destinations.flatMap((destination) =>
        destination.hotels.map((hotel) => [hotel.record.id, hotel]),
      ),
    );
    const forAdults = [...hotels.values()].filter(({ canTakeChildren }) => !canTakeChildren).length;
    expect(forAdults / hotels.size).toBeGreaterThan(0.05);
    for (const row of rows) {
      if (row[OFFER.party] === FAMILY_OF_3 || row[OFFER.party] === FAMILY_OF_4) {
        expect(hotels.get(row[OFFER.hotel])?.canTakeChildren).toBe(true);
      }
    }
  });
});

describe('The prices of the parties', () => {
  it('charge one adult more than half of the price for two, but not all of it', () => {
    for (const share of relativePrices(SOLO, false)) {
      expect(share).toBeGreaterThan(0.53);
      expect(share).toBeLessThan(0.85);
    }
  });

  it('charge a child less than an adult, and a second child something', () => {
    for (const share of relativePrices(FAMILY_OF_3, false)) {
      expect(share).toBeGreaterThan(1.2);
      expect(share).toBeLessThan(1.5);
    }
    for (const share of relativePrices(FAMILY_OF_4, false)) {
      expect(share).toBeGreaterThan(1.45);
      expect(share).toBeLessThan(2);
    }
  });

  it('charge nothing for a child in a room with a free child place, and a child’s price for the other child', () => {
    for (const share of relativePrices(FAMILY_OF_3, true)) expect(share).toBeCloseTo(1, 2);
    for (const share of relativePrices(FAMILY_OF_4, true)) {
      expect(share).toBeGreaterThan(1.2);
      expect(share).toBeLessThan(1.55);
    }
  });

  it('include fewer free child places in the school holidays', () => {
    const inHolidays = '2027-08-07';
    expect([IN_TERM, inHolidays].map(isSchoolHoliday)).toEqual([false, true]);
    const shareOf = (offers: readonly OfferRow[]) => {
      const families = offers.filter((row) => Number(row[OFFER.party]) >= 3);
      return families.filter(hasFreeChild).length / families.length;
    };
    const holidays = shareOf(offersOfDay(market, inHolidays, TODAY, 1));
    expect(shareOf(rows)).toBeGreaterThan(0.1);
    expect(holidays).toBeGreaterThan(0);
    expect(holidays).toBeLessThan(shareOf(rows) / 2);
  });
});

import { describe, expect, it } from 'vitest';
import { NOW, REFERENCE, smallOffers } from '../../tests/fixtures/small-inventory.ts';
import { cachedCatalogue } from '../inventory/tables/cached-catalogue.ts';
import { explore, roomForPlaces } from './explore.ts';
import type { LowestPrice, PackageRepository } from './package-repository.ts';
import { priceCalendar } from './price-calendar.ts';
import { INTERNAL_SEARCH } from './search-caller.ts';
import { packageSearch } from './search-packages.ts';
import { sharedAnswerTime } from './shared-answer-time.ts';
import { packPrices, unpackPrices } from './wide-search.ts';

const VARIABLES = {
  filters: { brand: 'SKY', startDate: '2027-05-03', endDate: '2027-05-10', departureAirports: ['LGW'] },
};
const PRICES = [
  { day: 20_940, nights: 7, price: 123_456, country: 2, region: 3, resort: 70_000 },
  { day: 20_941, nights: 14, price: 99_999_999, country: 1, region: 1, resort: 1 },
];

describe('What a search of another thread has found', () => {
  it.each([
    ['a page', packageSearch],
    ['a calendar', priceCalendar],
    ['places', explore],
  ])('waits for a turn before it is made into an answer: %s', async (_name, make) => {
    const overloaded = new Error('No turn');
    const steps: string[] = [];
    const answer = make({
      repository: fakeRepository(() => steps.push('found')),
      brandCode: 'SKY',
      collapse: 'hotel',
      tokenKey: Buffer.from('key'),
      now: () => NOW,
    });
    const caller = {
      ...INTERNAL_SEARCH,
      async answerTurn() {
        steps.push('waits');
        throw overloaded;
      },
    };
    await expect(answer(VARIABLES, caller)).rejects.toBe(overloaded);
    expect(steps).toEqual(['found', 'waits']);
  });

  describe('is refused if it is more places than one request may return, in all of its fields together', () => {
    // Four resorts in 500 months.
    const found = Array.from({ length: 2_000 }, (_, nth) => {
      const { id: resort, region } = REFERENCE.resorts[nth % 4] ?? { id: 0, region: 0 };
      const { country } = REFERENCE.regions.find(({ id }) => id === region) ?? { country: 0 };
      return { day: 20_940 + 31 * Math.floor(nth / 4), nights: 7, price: 123_456, country, region, resort };
    });
    const places = explore({
      repository: { ...fakeRepository(() => {}), lowestPrices: pricesOf(found) },
      brandCode: 'SKY',
      now: () => NOW,
    });
    const resorts = { ...VARIABLES, level: 'RESORT' };

    it('one after another', async () => {
      const room = roomForPlaces();
      const outcomes = [];
      for (let nth = 0; nth < 3; nth += 1) outcomes.push(await places(resorts, INTERNAL_SEARCH, room));
      expect(outcomes.map(({ kind }) => kind)).toEqual(['places', 'places', 'bad-input']);
      const countries = { ...VARIABLES, level: 'COUNTRY' };
      expect((await places(countries, INTERNAL_SEARCH, room)).kind).toBe('bad-input');
      expect((await places(countries)).kind).toBe('places');
    });

    it.each([
      [2, 'places'],
      [3, 'bad-input'],
    ])('and before one of them is made, if they are made together: %i fields', async (fields, outcome) => {
      const room = roomForPlaces();
      const time = sharedAnswerTime(() => ({ take: async () => {}, release() {} }));
      const search = () =>
        time.during((answerTurn) => places(resorts, { ...INTERNAL_SEARCH, answerTurn }, room));
      const outcomes = await Promise.all(Array.from({ length: fields }, search));
      expect(outcomes.map(({ kind }) => kind)).toEqual(Array(fields).fill(outcome));
    });
  });

  it('comes whole from the other thread', () => {
    const prices = unpackPrices(packPrices(PRICES));
    expect([...prices]).toEqual(PRICES);
    expect(prices.length).toBe(PRICES.length);
  });
});

const catalogue = cachedCatalogue('1', REFERENCE);
catalogue.add(REFERENCE);

function pricesOf(prices: LowestPrice[]): PackageRepository['lowestPrices'] {
  return async () => ({ prices, isTooWide: false, catalogue });
}

function fakeRepository(onFound: () => void): PackageRepository {
  return {
    async search(queriesFor) {
      onFound();
      const page = {
        offers: smallOffers().slice(0, 1),
        next: null,
        count: 1,
        isTooWide: false,
        statements: 1,
      };
      return { pages: queriesFor(catalogue).map(() => page), catalogue };
    },
    async lowestPrices() {
      onFound();
      return { prices: PRICES, isTooWide: false, catalogue };
    },
    findByKey: async () => [],
    catalogue: async () => catalogue,
    resortPositions: async () => new Map(),
    partiesOnSale: async () => [],
    referenceVersion: async () => '1',
    readNote: async () => null,
    close: async () => {},
  };
}

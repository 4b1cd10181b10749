import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDays } from '../../domain/calendar-date.ts';
import { API_KEY, openSmallApp, type SmallApp } from '../fixtures/small-app.ts';
import { REFERENCE } from '../fixtures/small-inventory.ts';
import { STORE_KINDS } from '../fixtures/test-stores.ts';
import { FILTERS } from './suites/search-http.ts';

const CALENDAR = `query ($filters: PackageSearchFilters!) {
  priceCalendar(filters: $filters) { DepartureDate TotalPrice PricePerAdult Duration }
}`;

const EXPLORE = `query ($filters: PackageSearchFilters!, $level: PlaceLevel, $maxPricePerAdult: Int) {
  explore(filters: $filters, level: $level, maxPricePerAdult: $maxPricePerAdult) {
    HolidayCountry HolidayRegion HolidayResort Latitude Longitude DepartureDate TotalPrice PricePerAdult Duration
    Months { Month DepartureDate TotalPrice PricePerAdult Duration }
  }
}`;

const CHEAPEST = `query ($filters: PackageSearchFilters!) {
  searchPackages(filters: $filters, limit: 1) { items { TotalPrice DepartureDate Duration } }
}`;

interface Price {
  TotalPrice: number;
  DepartureDate: string;
  Duration: number;
}

/** Every departure of the small inventory. */
const WHOLE = { ...FILTERS, startDate: '2027-04-20', endDate: '2027-06-20', duration: null };

const DEPARTURES = Array.from({ length: 12 }, (_, nth) => addDays('2027-05-01', nth));

function hotelsIn(country: string, region: string) {
  const inCountry = REFERENCE.countries.find(({ name }) => name === country)?.id;
  const ids = REFERENCE.regions
    .filter((each) => each.country === inCountry && each.name === region)
    .map(({ id }) => id);
  const resorts = REFERENCE.resorts.filter((resort) => ids.includes(resort.region)).map(({ id }) => id);
  return REFERENCE.hotels.filter(({ resort }) => resorts.includes(resort));
}

for (const kind of STORE_KINDS) {
  describe(`The calendar of prices and the cheapest places, ${kind}`, () => {
    let small: SmallApp;
    beforeAll(async () => {
      small = await openSmallApp({ store: kind });
    });
    afterAll(() => small.close());

    async function ask<Data>(query: string, variables: object): Promise<{ data: Data; errors?: unknown }> {
      const response = await small.app.inject({
        method: 'POST',
        url: '/graphql',
        headers: { 'x-api-key': API_KEY },
        payload: { query, variables },
      });
      return response.json();
    }

    /** The cheapest package that a search finds; an empty list if there is none. */
    async function cheapest(filters: object): Promise<Price[]> {
      const { data } = await ask<{ searchPackages: { items: Price[] } }>(CHEAPEST, { filters });
      return data.searchPackages.items;
    }

    it.each([
      ['any place and nights', {}],
      [
        'a resort, board and stars',
        { country: 'Spain', resort: 'Benidorm', boardBasis: 'HB', starRating: 3 },
      ],
      ['one provider and seven nights', { brand: 'SUN', duration: 7 }],
      ['another party', { numberOfChildren: 1 }],
    ])('has the price that a search for each day finds: %s', async (_name, narrowed) => {
      const filters = { ...WHOLE, ...narrowed };
      const expected: object[] = [];
      for (const day of DEPARTURES) {
        const found: Price[] = [];
        for (const duration of [4, 7]) {
          if ('duration' in narrowed && narrowed.duration !== duration) continue;
          found.push(
            ...(await cheapest({ ...filters, duration, startDate: day, endDate: addDays(day, duration) })),
          );
        }
        const [best] = found.toSorted((one, other) => one.TotalPrice - other.TotalPrice);
        if (best === undefined) continue;
        expected.push({ ...best, PricePerAdult: Math.round((best.TotalPrice * 100) / 2) / 100 });
      }
      expect(expected.length).toBeGreaterThan(0);
      const { data } = await ask<{ priceCalendar: Price[] }>(CALENDAR, { filters });
      expect(data.priceCalendar).toEqual(expected);
    });

    it('has no day before tomorrow, and no trip that ends after the window', async () => {
      const passed = { ...WHOLE, startDate: '2027-03-01', endDate: '2027-04-10' };
      expect(await ask(CALENDAR, { filters: passed })).toEqual({ data: { priceCalendar: [] } });
      const ending = { ...WHOLE, endDate: '2027-05-08' };
      const { data } = await ask<{ priceCalendar: Price[] }>(CALENDAR, { filters: ending });
      expect(data.priceCalendar.map(({ DepartureDate }) => DepartureDate)).toEqual(DEPARTURES.slice(0, 4));
      for (const { DepartureDate, Duration } of data.priceCalendar) {
        expect(addDays(DepartureDate, Duration) <= '2027-05-08').toBe(true);
      }
    });

    it.each(['COUNTRY', 'REGION', 'RESORT'] as const)(
      'finds the cheapest package of each place: %s',
      async (level) => {
        const { data } = await ask<{ explore: (Price & Record<string, string>)[] }>(EXPLORE, {
          filters: WHOLE,
          level,
        });
        expect(data.explore).toHaveLength({ COUNTRY: 2, REGION: 3, RESORT: 4 }[level]);
        for (const place of data.explore) {
          const filters = {
            ...WHOLE,
            country: place.HolidayCountry,
            region: place.HolidayRegion,
            resort: place.HolidayResort,
          };
          const [best] = await cheapest(filters);
          expect(place.TotalPrice).toBe(best?.TotalPrice);
          expect(place.Months).toMatchObject([{ TotalPrice: best?.TotalPrice, Month: '2027-05' }]);
          const { DepartureDate, Duration } = place;
          const trip = {
            startDate: DepartureDate,
            endDate: addDays(DepartureDate, Duration),
            duration: Duration,
          };
          const [sold] = await cheapest({ ...filters, ...trip });
          expect(sold).toMatchObject({ TotalPrice: place.TotalPrice, DepartureDate, Duration });
        }
        const prices = data.explore.map(({ TotalPrice }) => TotalPrice);
        expect(prices).toEqual(prices.toSorted((one, other) => one - other));
      },
    );

    it('places each region in the middle of its hotels, including those that do not match', async () => {
      for (const narrowed of [{}, { starRating: 3 }]) {
        const { data } = await ask<{ explore: Record<string, unknown>[] }>(EXPLORE, {
          filters: { ...WHOLE, ...narrowed },
        });
        expect(data.explore.length).toBeGreaterThan(0);
        for (const place of data.explore) {
          const hotels = hotelsIn(String(place.HolidayCountry), String(place.HolidayRegion));
          const mean = (values: (number | null)[]) =>
            values.reduce<number>((sum, value) => sum + (value ?? 0), 0) / values.length;
          expect(place.Latitude).toBeCloseTo(mean(hotels.map(({ latitude }) => latitude)), 2);
          expect(place.Longitude).toBeCloseTo(mean(hotels.map(({ longitude }) => longitude)), 2);
        }
      }
    });

    it('omits places above the price limit per adult', async () => {
      const all = await ask<{ explore: (Price & { PricePerAdult: number })[] }>(EXPLORE, { filters: WHOLE });
      const lowest = Math.min(...all.data.explore.map(({ PricePerAdult }) => PricePerAdult));
      const { data } = await ask<{ explore: Price[] }>(EXPLORE, {
        filters: WHOLE,
        maxPricePerAdult: Math.ceil(lowest),
      });
      expect(data.explore.length).toBeGreaterThan(0);
      for (const { TotalPrice } of data.explore)
        expect(TotalPrice / 2).toBeLessThanOrEqual(Math.ceil(lowest));
      const none = await ask(EXPLORE, { filters: WHOLE, maxPricePerAdult: 1 });
      expect(none).toEqual({ data: { explore: [] } });
    });

    it('finds nothing for an unknown name, and names an invalid argument', async () => {
      const filters = { ...WHOLE, resort: 'Atlantis' };
      expect(await ask(CALENDAR, { filters })).toEqual({ data: { priceCalendar: [] } });
      expect(await ask(EXPLORE, { filters })).toEqual({ data: { explore: [] } });
      for (const query of [CALENDAR, EXPLORE]) {
        expect(await ask(query, { filters: { ...WHOLE, endDate: 'soon' } })).toMatchObject({
          errors: [{ extensions: { code: 'BAD_USER_INPUT', field: 'filters.endDate' } }],
        });
      }
      expect(await ask(EXPLORE, { filters: WHOLE, maxPricePerAdult: 0 })).toMatchObject({
        errors: [{ extensions: { code: 'BAD_USER_INPUT', field: 'maxPricePerAdult' } }],
      });
    });

    it('requires the key', async () => {
      const response = await small.app.inject({
        method: 'POST',
        url: '/graphql',
        payload: { query: CALENDAR, variables: { filters: WHOLE } },
      });
      expect(response.statusCode).toBe(401);
    });
  });
}

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_BLOCKS } from '../../server/package-search/query/search-cost.ts';
import { openDatabase } from '../../server/storage/open/database.ts';
import { API_KEY, openSmallApp, type SmallApp } from '../fixtures/small-app.ts';
import { makeStore, STORE_KINDS, type TestStore } from '../fixtures/test-stores.ts';
import { FILTERS } from './suites/search-http.ts';

const WHOLE = { ...FILTERS, startDate: '2027-04-20', endDate: '2027-06-20', duration: null };

const FIELDS = {
  searchPackages: 'searchPackages(filters: $filters) { count }',
  priceCalendar: 'priceCalendar(filters: $filters) { TotalPrice }',
  explore: 'explore(filters: $filters) { TotalPrice }',
};

for (const kind of STORE_KINDS) {
  describe(`A request that reads more price blocks than the limit, in the ${kind} store`, () => {
    let store: TestStore;
    let small: SmallApp;
    beforeAll(async () => {
      store = await makeStore(kind);
      small = await openSmallApp({ store, collapse: 'hotel' });
      const database = await openDatabase(store.address);
      // Copies one block to resorts that the dictionaries do not have.
      await database.exec(`insert into price_block
          (party, nights, month, airport, country, region, resort, lowest, lowest_day, expires_at, cells, hotels)
        with recursive nth(n) as (select 1 union all select n + 1 from nth where n <= ${MAX_BLOCKS.calendar})
        select party, nights, month, airport, country, region, 1000 + n, lowest, lowest_day, expires_at, cells, hotels
        from (select * from price_block where party = 1 and airport = 1 and country = 2 limit 1) as one cross join nth`);
      await database.close();
    });
    afterAll(() => small.close());

    async function ask(field: string, filters: object): Promise<{ data?: object; errors?: object[] }> {
      const response = await small.app.inject({
        method: 'POST',
        url: '/graphql',
        headers: { 'x-api-key': API_KEY },
        payload: {
          query: `query ($filters: PackageSearchFilters!) { ${field} }`,
          variables: { filters: { ...WHOLE, ...filters } },
        },
      });
      expect(response.statusCode).toBe(200);
      return response.json();
    }

    it.each(Object.entries(FIELDS))('is rejected with what to narrow: %s', async (_name, field) => {
      const { errors } = await ask(field, {});
      expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', field: 'filters' } }]);
      expect(errors?.[0]).toMatchObject({ message: expect.stringContaining('Name a country') });
    });

    it.each(Object.entries(FIELDS))('succeeds with a narrower filter: %s', async (_name, field) => {
      expect((await ask(field, { country: 'Spain' })).errors).toBeUndefined();
      expect((await ask(field, { departureAirports: ['MAN'] })).errors).toBeUndefined();
    });
  });
}

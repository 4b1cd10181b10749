import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_BLOCKS } from '../../server/package-search/search-cost.ts';
import { openDatabase } from '../../server/storage/open/database.ts';
import { API_KEY, openSmallApp, type SmallApp } from '../fixtures/small-app.ts';
import { makeStore, STORE_KINDS, type TestStore } from '../fixtures/test-stores.ts';
import { FILTERS } from './suites/search-http.ts';

const WHOLE = { ...FILTERS, startDate: '2027-04-20', endDate: '2027-06-20', duration: null };

const QUESTIONS = {
  searchPackages: 'searchPackages(filters: $filters) { count }',
  priceCalendar: 'priceCalendar(filters: $filters) { TotalPrice }',
  explore: 'explore(filters: $filters) { TotalPrice }',
};

for (const kind of STORE_KINDS) {
  describe(`A question that reads more than one answer may, ${kind}`, () => {
    let store: TestStore;
    let small: SmallApp;
    beforeAll(async () => {
      store = await makeStore(kind);
      small = await openSmallApp({ store, collapse: 'hotel' });
      const database = openDatabase(store.address);
      // Copies of one block at resorts that the dictionaries do not have.
      database.exec(`insert into price_block
          (party, nights, month, airport, country, region, resort, lowest, lowest_day, expires_at, cells, hotels)
        with recursive nth(n) as (select 1 union all select n + 1 from nth where n <= ${MAX_BLOCKS.calendar})
        select party, nights, month, airport, country, region, 1000 + n, lowest, lowest_day, expires_at, cells, hotels
        from (select * from price_block where party = 1 and airport = 1 and country = 2 limit 1) as one cross join nth`);
      database.close();
    });
    afterAll(() => small.close());

    async function ask(question: string, filters: object): Promise<{ data?: object; errors?: object[] }> {
      const response = await small.app.inject({
        method: 'POST',
        url: '/graphql',
        headers: { 'x-api-key': API_KEY },
        payload: {
          query: `query ($filters: PackageSearchFilters!) { ${question} }`,
          variables: { filters: { ...WHOLE, ...filters } },
        },
      });
      expect(response.statusCode).toBe(200);
      return response.json();
    }

    it.each(Object.entries(QUESTIONS))('is refused with what to narrow: %s', async (_name, question) => {
      const { errors } = await ask(question, {});
      expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', field: 'filters' } }]);
      expect(errors?.[0]).toMatchObject({ message: expect.stringContaining('Name a country') });
    });

    it.each(Object.entries(QUESTIONS))('is answered once it is narrowed: %s', async (_name, question) => {
      expect((await ask(question, { country: 'Spain' })).errors).toBeUndefined();
      expect((await ask(question, { departureAirports: ['MAN'] })).errors).toBeUndefined();
    });
  });
}

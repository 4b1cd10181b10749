import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SEARCH_PACKAGES_QUERY } from '../../domain/search-query.ts';
import { rebuildPriceBlocks } from '../../server/inventory/tables/rebuild-price-blocks.ts';
import { openDatabase } from '../../server/storage/open/database.ts';
import type { SqlDatabase } from '../../server/storage/sql-database.ts';
import { API_KEY, openSmallApp, type SmallApp } from '../fixtures/small-app.ts';
import { makeStore, STORE_KINDS, type TestStore } from '../fixtures/test-stores.ts';
import { FILTERS } from './suites/search-http.ts';

/** Bytes that say that there are two hundred million entries. */
const IMPOSSIBLE = Buffer.from('01000000008084af5f00', 'hex');

describe.each(STORE_KINDS)('A search that meets a damaged price block, %s store', (kind) => {
  const lines: string[] = [];
  let store: TestStore;
  let small: SmallApp;
  let database: SqlDatabase;
  beforeAll(async () => {
    store = await makeStore(kind);
    small = await openSmallApp({ store, collapse: 'hotel', onLog: (line) => lines.push(line) });
    database = openDatabase(store.address);
  });
  afterAll(async () => {
    database.close();
    await small.close();
  });

  const ask = (query: string, filters: object) =>
    small.app.inject({
      method: 'POST',
      url: '/graphql',
      headers: { 'x-api-key': API_KEY },
      payload: { query, variables: { filters } },
    });

  it.each([
    ['cells', 'of weeks', '2027-05-12', SEARCH_PACKAGES_QUERY],
    [
      'cells',
      'of prices by day',
      '2027-05-12',
      'query ($filters: PackageSearchFilters!) { priceCalendar(filters: $filters) { TotalPrice } }',
    ],
    ['hotels', 'of months', '2027-06-30', SEARCH_PACKAGES_QUERY],
  ])('fails at once and names the block: %s, a search %s', async (column, _, endDate, query) => {
    const filters = { ...FILTERS, startDate: '2027-05-01', endDate };
    expect((await ask(query, filters)).statusCode).toBe(200);
    database.prepare(`update price_block set ${column} = ?`).run(IMPOSSIBLE);
    const from = performance.now();
    const response = await ask(query, filters);
    expect(performance.now() - from).toBeLessThan(2_000);
    expect(response.statusCode).toBe(500);
    expect(response.json()).toEqual({ error: 'Something went wrong here. Please try again.' });
    expect(lines.join('')).toMatch(
      new RegExp(
        `The ${column} of the price_block with party \\d+, nights \\d+, month 688, .* resort \\d+ are damaged\\. Run npm run prices:rebuild`,
      ),
    );

    rebuildPriceBlocks(database, () => {});
    expect((await ask(query, filters)).statusCode).toBe(200);
    lines.length = 0;
  });
});

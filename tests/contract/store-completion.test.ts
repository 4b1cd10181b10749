import { describe, expect, it, onTestFinished } from 'vitest';
import { SEARCH_PACKAGES_QUERY } from '../../domain/search-query.ts';
import { completeStore } from '../../server/ingest/complete-store.ts';
import { BLOCKS_FROM_MONTH } from '../../server/inventory/inventory-notes.ts';
import { renewReferenceVersion } from '../../server/inventory/tables/reference-tables.ts';
import { writeNote } from '../../server/storage/notes.ts';
import { openDatabase } from '../../server/storage/open/database.ts';
import { API_KEY, openSmallApp } from '../fixtures/small-app.ts';
import { SMALL_CHARGES } from '../fixtures/small-charges.ts';
import { makeStore, STORE_KINDS } from '../fixtures/test-stores.ts';
import { FILTERS } from './suites/search-http.ts';

const WEEKS = { ...FILTERS, endDate: '2027-06-10' };

interface Priced {
  TotalPrice: number;
}

describe.each(STORE_KINDS)('A %s store without prices by day, as of an earlier version', (kind) => {
  it('is searched while a thread completes it, and never answers from incomplete prices', async () => {
    const store = await makeStore(kind);
    const small = await openSmallApp({
      store,
      page: { 'service-worker.js': '', 'index.html': '<!doctype html><title>Skylark</title>' },
    });
    onTestFinished(() => small.close());
    const post = async (payload: object) => {
      const response = await small.app.inject({
        method: 'POST',
        url: '/graphql',
        headers: { 'x-api-key': API_KEY },
        payload,
      });
      return { status: response.statusCode, json: response.json() };
    };
    const search = (filters: object) => post({ query: SEARCH_PACKAGES_QUERY, variables: { filters } });
    const itemsOf = ({ json }: Awaited<ReturnType<typeof search>>) => json.data.searchPackages.items;
    const warnings = async () => (await small.app.inject('/readyz')).json().warnings;
    const [day, weeks] = [await search(FILTERS), await search(WEEKS)];
    expect([day.status, weeks.status]).toEqual([200, 200]);
    expect(await warnings()).toEqual([]);

    await using database = await openDatabase(store.address);
    await database.exec('delete from price_block');
    await writeNote(database, BLOCKS_FROM_MONTH, '0');
    await renewReferenceVersion(database);
    expect(itemsOf(await search(FILTERS))).toEqual(itemsOf(day));
    await expect
      .poll(() => search(WEEKS))
      .toMatchObject({ status: 503, json: { code: 'STORE_UNAVAILABLE' } });
    expect(await warnings()).toEqual([expect.stringContaining('The prices by day are being computed.')]);

    const failures: string[] = [];
    const completion = completeStore({ store: store.address, charges: SMALL_CHARGES }, (line) =>
      failures.push(line),
    );
    onTestFinished(() => completion.stop());
    // The charges come after the prices by day.
    const pricesOf = async () => {
      const found = await search(WEEKS);
      return found.status === 200 ? itemsOf(found).map(({ TotalPrice }: Priced) => TotalPrice) : 'refused';
    };
    const before = itemsOf(weeks).map(({ TotalPrice }: Priced) => TotalPrice);
    await expect.poll(async () => ['refused', String(before)].includes(String(await pricesOf()))).toBe(false);
    await expect.poll(warnings).toEqual([]);
    expect(await pricesOf()).toHaveLength(before.length);
    expect(failures).toEqual([]);
  });
});

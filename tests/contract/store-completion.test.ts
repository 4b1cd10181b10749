import { describe, expect, it, onTestFinished } from 'vitest';
import { SEARCH_PACKAGES_QUERY } from '../../domain/search-query.ts';
import { completeStore } from '../../server/ingest/complete-store.ts';
import { API_KEY, openSmallApp } from '../fixtures/small-app.ts';
import { SMALL_CHARGES } from '../fixtures/small-charges.ts';
import { makeStore, STORE_KINDS } from '../fixtures/test-stores.ts';
import { FILTERS } from './suites/search-http.ts';

const WEEKS = { ...FILTERS, endDate: '2027-06-10' };

interface Priced {
  TotalPrice: number;
}

describe.each(STORE_KINDS)('A %s store without the charges of the table', (kind) => {
  it('is searched while a thread completes it', async () => {
    const store = await makeStore(kind);
    const small = await openSmallApp({ store });
    onTestFinished(() => small.close());
    const pricesOf = async () => {
      const response = await small.app.inject({
        method: 'POST',
        url: '/graphql',
        headers: { 'x-api-key': API_KEY },
        payload: { query: SEARCH_PACKAGES_QUERY, variables: { filters: WEEKS } },
      });
      return response.json().data.searchPackages.items.map(({ TotalPrice }: Priced) => TotalPrice);
    };
    const before = await pricesOf();

    const failures: string[] = [];
    const completion = completeStore({ store: store.address, charges: SMALL_CHARGES }, (line) =>
      failures.push(line),
    );
    onTestFinished(() => completion.stop());
    await expect.poll(pricesOf).not.toEqual(before);
    await expect.poll(async () => (await small.app.inject('/readyz')).json().warnings).toEqual([]);
    expect(await pricesOf()).toHaveLength(before.length);
    expect(failures).toEqual([]);
  });
});

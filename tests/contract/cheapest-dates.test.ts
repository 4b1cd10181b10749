import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDays } from '../../domain/calendar-date.ts';
import { API_KEY, openSmallApp, type SmallApp } from '../fixtures/small-app.ts';
import { FILTERS } from './suites/search-http.ts';

const QUERY =
  'query ($filters: PackageSearchFilters!) { cheapestDates(filters: $filters) { DepartureDate TotalPrice } }';
const ONE =
  'query ($filters: PackageSearchFilters!) { searchPackages(filters: $filters, limit: 1) { items { TotalPrice } } }';

describe('cheapestDates', () => {
  let small: SmallApp;
  beforeAll(async () => {
    small = await openSmallApp();
  });
  afterAll(() => small.close());

  async function ask(
    query: string,
    filters: object,
  ): Promise<{ data: Record<string, unknown>; errors?: unknown }> {
    const response = await small.app.inject({
      method: 'POST',
      url: '/graphql',
      headers: { 'x-api-key': API_KEY },
      payload: { query, variables: { filters: { ...FILTERS, ...filters } } },
    });
    return response.json();
  }

  it.each([
    ['any place', {}],
    ['one resort and board', { resort: 'Benidorm', boardBasis: 'HB' }],
    ['four nights', { duration: 4, endDate: '2027-05-07' }],
  ])('equals the cheapest result of a search on each day: %s', async (_name, filters) => {
    const expected: object[] = [];
    for (let days = -3; days <= 3; days += 1) {
      const startDate = addDays(FILTERS.startDate, days);
      const endDate = addDays((filters as { endDate?: string }).endDate ?? FILTERS.endDate, days);
      const { data } = await ask(ONE, { ...filters, startDate, endDate });
      const [item] = (data.searchPackages as { items: { TotalPrice: number }[] }).items;
      if (item) expected.push({ DepartureDate: startDate, TotalPrice: item.TotalPrice });
    }
    expect(expected.length).toBeGreaterThan(2);
    expect(await ask(QUERY, filters)).toEqual({ data: { cheapestDates: expected } });
  });

  it('omits days before tomorrow, and days without departures', async () => {
    const { data } = await ask(QUERY, { startDate: '2027-04-03', endDate: '2027-04-10' });
    expect(data.cheapestDates).toEqual([]);
    const first = await ask(QUERY, { startDate: '2027-04-29', endDate: '2027-05-06' });
    expect((first.data.cheapestDates as { DepartureDate: string }[]).map((one) => one.DepartureDate)).toEqual(
      ['2027-05-01', '2027-05-02'],
    );
  });

  it('finds nothing for an unknown name, and names an invalid field', async () => {
    expect(await ask(QUERY, { resort: 'Atlantis' })).toEqual({ data: { cheapestDates: [] } });
    expect(await ask(QUERY, { startDate: 'soon' })).toMatchObject({
      errors: [{ extensions: { code: 'BAD_USER_INPUT', field: 'filters.startDate' } }],
    });
  });
});

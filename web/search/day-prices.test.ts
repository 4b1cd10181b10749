import { afterEach, describe, expect, it, vi } from 'vitest';
import type { PackageSearchFilters } from '../../domain/search-filters.ts';
import { fetchDayPrices } from './day-prices.ts';

function filters(changes: Partial<PackageSearchFilters> = {}): PackageSearchFilters {
  return {
    brand: 'SKY',
    startDate: '2027-05-01',
    endDate: '2027-06-07',
    departureAirports: ['LGW'],
    numberOfAdults: 2,
    numberOfChildren: 0,
    numberOfInfants: 0,
    duration: 7,
    country: 'Spain',
    ...changes,
  };
}

interface Sent {
  query: string;
  variables: Record<string, PackageSearchFilters>;
}

/** A service that returns one price for each alias, of £100 per night. */
function service(response?: () => Response) {
  const sent: Sent[] = [];
  const ownService = { searchEndpoint: 'https://search.example/graphql', searchApiKey: 'key' };
  vi.stubGlobal('fetch', (_url: string, request?: RequestInit) => {
    const body = JSON.parse(typeof request?.body === 'string' ? request.body : '') as Sent;
    sent.push(body);
    if (response) return Promise.resolve(response());
    const data = Object.fromEntries(
      Object.entries(body.variables).map(([name, { startDate, duration }]) => [
        name.replace('filters', 'priceCalendar'),
        [{ DepartureDate: startDate, TotalPrice: duration * 100.005 }],
      ]),
    );
    return Promise.resolve(Response.json({ data }));
  });
  return {
    sent,
    fetchPrices: (wanted: PackageSearchFilters[]) =>
      fetchDayPrices(ownService, wanted, new AbortController().signal),
  };
}

describe('fetchDayPrices', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it('sends one request with a field for each of the filters', async () => {
    const { fetchPrices, sent } = service();
    const prices = await fetchPrices([filters({ duration: 4 }), filters({ duration: 14 })]);
    expect(prices.map((each) => [...each])).toEqual([[['2027-05-01', 40_002]], [['2027-05-01', 140_007]]]);
    expect(sent).toHaveLength(1);
    expect(sent[0]?.query).toContain('priceCalendar1: priceCalendar(filters: $filters1)');
    expect(Object.keys(sent[0]?.variables ?? {})).toEqual(['filters0', 'filters1']);
  });

  it('sends as many requests as the service allows fields', async () => {
    const { fetchPrices, sent } = service();
    const prices = await fetchPrices(Array.from({ length: 12 }, (_, nth) => filters({ duration: nth + 1 })));
    expect(prices.map((each) => each.get('2027-05-01'))).toEqual(
      Array.from({ length: 12 }, (_, nth) => Math.round((nth + 1) * 10_000.5)),
    );
    expect(sent.map(({ variables }) => Object.keys(variables).length)).toEqual([10, 2]);
  });

  it('sends no request without filters', async () => {
    const { fetchPrices, sent } = service();
    expect(await fetchPrices([])).toEqual([]);
    expect(sent).toEqual([]);
  });

  it.each([
    ['an error status', () => new Response('busy', { status: 500 }), /answered 500/],
    ['GraphQL errors', () => Response.json({ errors: [{ message: 'too wide' }], data: null }), /Expected/],
    ['a missing field', () => Response.json({ data: {} }), /without priceCalendar/],
    [
      'a day that does not exist',
      () => Response.json({ data: { priceCalendar0: [{ DepartureDate: '2027-02-30', TotalPrice: 1 }] } }),
      /Invalid/,
    ],
    [
      'a price that is no number',
      () => Response.json({ data: { priceCalendar0: [{ DepartureDate: '2027-02-01', TotalPrice: '1' }] } }),
      /Expected/,
    ],
  ])('rejects %s', async (_what, response, reason) => {
    const { fetchPrices } = service(response);
    await expect(fetchPrices([filters()])).rejects.toThrow(reason);
  });
});

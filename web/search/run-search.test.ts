import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { resultsFor, SEARCH, wireItems } from '../../tests/fixtures/page-search.ts';
import { runSearch, type SearchRun } from './run-search.ts';
import type { SearchRequest, SearchResponse } from './search-client.ts';
import type { HolidaySearch } from './search-url.ts';

const warned = vi.fn();
beforeEach(() => {
  warned.mockClear();
  vi.spyOn(console, 'warn').mockImplementation(warned);
});
afterEach(() => vi.restoreAllMocks());

/** Runs a search against a server that returns `responses` in order. */
async function run(
  search: HolidaySearch,
  responses: (SearchResponse | Error)[],
  more: Partial<SearchRun> = {},
) {
  const requests: SearchRequest[] = [];
  const stored = await runSearch(search, {
    client: async (request) => {
      const response = responses[requests.length];
      requests.push(request);
      if (response === undefined) throw new Error('one request too many');
      if (response instanceof Error) throw response;
      return response;
    },
    brandCode: 'SKY',
    signal: new AbortController().signal,
    loaded: null,
    ...more,
  });
  return { requests, stored };
}

const HUNDRED: SearchResponse = { items: wireItems(100), nextToken: 'second', hasMoreData: true, count: 123 };
const REST: SearchResponse = { items: wireItems(23, 100), nextToken: null, hasMoreData: false, count: 123 };

describe('a search', () => {
  it('sends the query, and parses the response', async () => {
    const { requests, stored } = await run({ ...SEARCH, sortBy: 'date-desc' }, [REST]);
    expect(requests).toEqual([
      {
        filters: expect.objectContaining({ brand: 'SKY', startDate: '2027-05-01', endDate: '2027-05-08' }),
        sortBy: 'DEPARTURE_DATE_DESC',
        limit: 100,
        nextToken: null,
      },
    ]);
    expect(stored).toMatchObject({ sortBy: 'date-desc', hasMoreData: false, nextToken: null });
    expect(stored.packages).toHaveLength(23);
  });

  // @proves 5.2
  it.each([{ destination: null }, { departureAirport: null }, { date: null }])(
    'finds nothing, without a request, if a part is missing: %j',
    async (missing) => {
      const { requests, stored } = await run({ ...SEARCH, ...missing }, []);
      expect(requests).toEqual([]);
      expect(stored.packages).toEqual([]);
    },
  );

  it('leaves out an unreadable item, and reports it once', async () => {
    const items = [...wireItems(3), { ItemKey: 'half' }, null];
    const { stored } = await run(SEARCH, [{ items, nextToken: null, hasMoreData: false, count: null }]);
    expect(stored.packages).toHaveLength(3);
    expect(warned).toHaveBeenCalledOnce();
    expect(warned.mock.calls[0]?.[0]).toContain('2 of 5');
  });
});

describe('a page beyond the loaded results', () => {
  it('is fetched by the stored token and added, in the requested order', async () => {
    const loaded = resultsFor(SEARCH, 100, { hasMoreData: true, nextToken: 'second' });
    const { requests, stored } = await run({ ...SEARCH, page: 11 }, [REST], { loaded });
    expect(requests.map(({ nextToken }) => nextToken)).toEqual(['second']);
    expect(stored.packages).toHaveLength(123);
    expect(stored.packages.at(-1)?.ItemKey).toBe('item-122');
    expect(stored).toMatchObject({ hasMoreData: false, nextToken: null });
  });

  it('is reached from an address in several requests', async () => {
    const { requests, stored } = await run({ ...SEARCH, page: 12 }, [HUNDRED, REST]);
    expect(requests.map(({ nextToken }) => nextToken)).toEqual([null, 'second']);
    expect(stored.packages).toHaveLength(123);
  });

  it('keeps the count of the server, also if a later response has none', async () => {
    const first = await run(SEARCH, [HUNDRED]);
    expect(first.stored).toMatchObject({ count: 123 });
    const loaded = resultsFor(SEARCH, 100, { hasMoreData: true, nextToken: 'second', count: 181 });
    const silent = await run({ ...SEARCH, page: 11 }, [{ ...REST, count: null }], { loaded });
    expect(silent.stored).toMatchObject({ count: 181 });
  });

  it('stores a repeated package only once', async () => {
    const loaded = resultsFor(SEARCH, 100, { hasMoreData: true, nextToken: 'second' });
    const again = { items: wireItems(10, 95), nextToken: null, hasMoreData: false, count: null };
    const { stored } = await run({ ...SEARCH, page: 11 }, [again], { loaded });
    expect(stored.packages).toHaveLength(105);
  });

  it('is not requested again if the server announces more and sends nothing', async () => {
    const empty = { items: [], nextToken: 'on and on', hasMoreData: true, count: null };
    const { requests, stored } = await run({ ...SEARCH, page: 99 }, [HUNDRED, empty]);
    expect(requests).toHaveLength(2);
    expect(stored).toMatchObject({ nextToken: null });
  });
});

describe('further filters', () => {
  it('go to a server that offers them, with the order by guest rating', async () => {
    const search: HolidaySearch = {
      ...SEARCH,
      sortBy: 'rating-desc',
      refine: { boards: ['AI'], bags: ['1'] },
    };
    const { requests, stored } = await run(search, [REST], { hasFacets: true });
    expect(requests).toMatchObject([{ refine: { boards: ['AI'], bags: true }, sortBy: 'GUEST_RATING_DESC' }]);
    expect(stored.packages).toHaveLength(23);
  });
});

describe('an order by price scores', () => {
  it('scores the loaded packages once', async () => {
    const scores = { 'value-desc': new Map([['item-3', 1.2]]), 'drop-desc': new Map() };
    const scorePrices = vi.fn(async () => scores);
    const byValue: HolidaySearch = { ...SEARCH, sortBy: 'value-desc' };
    const { requests, stored } = await run(byValue, [REST], { scorePrices });
    expect(requests).toMatchObject([{ sortBy: 'PRICE_ASC' }]);
    expect(stored.scores).toBe(scores);
    await run({ ...SEARCH, sortBy: 'drop-desc' }, [], { scorePrices, loaded: stored });
    expect(scorePrices).toHaveBeenCalledOnce();
  });
});

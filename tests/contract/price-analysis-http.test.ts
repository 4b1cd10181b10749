import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PRICE_ANALYSIS_QUERY } from '../../domain/price-analysis-response.ts';
import { PRICE_HISTORY_QUERY } from '../../domain/price-history-response.ts';
import { SEARCH_PACKAGES_QUERY } from '../../domain/search-query.ts';
import { API_KEY, openSmallApp, type SmallApp } from '../fixtures/small-app.ts';
import { STORE_KINDS } from '../fixtures/test-stores.ts';
import { FILTERS } from './suites/search-http.ts';

describe.each(STORE_KINDS)('in the %s store', (kind) => {
  let small: SmallApp;
  let keys: string[];
  /** A click-through as the page reports it. */
  let shown: { itemKey: string; price: number; priceToken: string };

  beforeAll(async () => {
    small = await openSmallApp({ store: kind });
    const { data } = await post({ query: SEARCH_PACKAGES_QUERY, variables: { filters: FILTERS, limit: 20 } });
    keys = data.searchPackages.items.map(({ ItemKey }: { ItemKey: string }) => ItemKey);
    const [{ ItemKey, TotalPrice, AdditionalData }] = data.searchPackages.items;
    const { PriceToken } = JSON.parse(AdditionalData) as { PriceToken: string };
    shown = { itemKey: ItemKey, price: TotalPrice, priceToken: PriceToken };
  });
  afterAll(() => small.close());

  async function post(payload: object) {
    const headers = { 'x-api-key': API_KEY };
    const response = await small.app.inject({ method: 'POST', url: '/graphql', headers, payload });
    return response.json();
  }

  it('returns analyses in the order of the keys, without unknown keys and duplicates', async () => {
    const [first, second] = keys;
    const { data } = await post({
      query: PRICE_ANALYSIS_QUERY,
      variables: { itemKeys: [second, 'no:such:key', first, second] },
    });
    expect(data.priceAnalysis.map(({ itemKey }: { itemKey: string }) => itemKey)).toEqual([second, first]);
  });

  it('returns no evidence if there are too few prices', async () => {
    const { data } = await post({ query: PRICE_ANALYSIS_QUERY, variables: { itemKeys: keys.slice(0, 1) } });
    expect(data.priceAnalysis).toEqual([
      {
        itemKey: keys[0],
        price: expect.any(Number),
        asOf: '2027-04-01T10:30:00.000Z',
        level: 'NO_VERDICT',
        label: 'Too little to go on',
        sentence: 'Too little to go on',
        abstention: 'FEW_PRICES',
        holiday: 'Early May bank holiday',
        change: null,
        advice: null,
        lowest30: { day: '2027-04-01', price: expect.any(Number), days: 1 },
        expected: null,
        evidence: null,
      },
    ]);
  });

  it("returns a package's history: every day on which its price was seen, and what similar ones cost", async () => {
    const [itemKey] = keys;
    const { data, errors } = await post({ query: PRICE_HISTORY_QUERY, variables: { itemKey } });
    expect(errors).toBeUndefined();
    const { prices, price, similar, ...others } = data.priceHistory;
    expect(prices).toEqual([{ day: '2027-04-01', price }]);
    expect(others).toEqual({
      itemKey,
      asOf: '2027-04-01T10:30:00.000Z',
      from: '2027-01-02',
      to: '2027-04-01',
      lowest30: { day: '2027-04-01', price, days: 1 },
      typical: null,
      sample: false,
    });
    if (similar !== null) {
      expect(similar.median).toBeGreaterThan(0);
      expect(similar.hotels).toBeGreaterThanOrEqual(3);
    }
  });

  it('returns no history for an unknown package, and rejects a key that is too long', async () => {
    const unknown = await post({ query: PRICE_HISTORY_QUERY, variables: { itemKey: 'no:such:key' } });
    expect(unknown.data).toEqual({ priceHistory: null });
    const long = await post({ query: PRICE_HISTORY_QUERY, variables: { itemKey: 'x'.repeat(401) } });
    expect(long.errors[0]).toMatchObject({ extensions: { code: 'BAD_USER_INPUT', field: 'itemKey' } });
  });

  it.each([
    ['eleven keys', { itemKeys: Array.from({ length: 11 }, (_, index) => String(index)) }],
    ['a key of 401 characters', { itemKeys: ['x'.repeat(401)] }],
  ])('rejects %s and names the field', async (_, variables) => {
    const { errors } = await post({ query: PRICE_ANALYSIS_QUERY, variables });
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', field: 'itemKeys' } }]);
  });

  it.each([
    ['a package and its price', () => shown, 204],
    ['an unknown package', () => ({ ...shown, itemKey: 'no:such:key' }), 404],
    ['a price that was not shown', () => ({ ...shown, price: 1 }), 400],
    ['a token of another package', () => ({ ...shown, itemKey: keys[1] }), 400],
    ['no token', () => ({ itemKey: shown.itemKey, price: shown.price }), 400],
    ['a price of zero', () => ({ itemKey: keys[0], price: 0 }), 400],
    ['personal data', () => ({ itemKey: keys[0], price: 1, email: 'a@b.example' }), 400],
  ])('responds to a visit report with %s', async (_, payload, status) => {
    const response = await small.app.inject({ method: 'POST', url: '/visits', payload: payload() });
    expect(response.statusCode).toBe(status);
  });

  it('rejects a visit with a price that was shown more than a day ago', async () => {
    const later = await openSmallApp({ store: kind });
    later.passTime(25 * 60 * 60 * 1_000);
    const response = await later.app.inject({ method: 'POST', url: '/visits', payload: shown });
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({ error: expect.stringContaining('more than a day old') });
    await later.close();
  });
});

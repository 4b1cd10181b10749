import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SEARCH_PACKAGES_QUERY } from '../../domain/search-query.ts';
import { SEARCH_WITH_FACETS_QUERY } from '../../domain/search-with-facets-query.ts';
import { applyCharges } from '../../server/ingest/apply-charges.ts';
import { openInventoryWriter } from '../../server/ingest/open-inventory-writer.ts';
import type { OfferRow } from '../../server/inventory/inventory.ts';
import { OFFER } from '../../server/inventory/offer-columns.ts';
import { API_KEY, openSmallApp, type SmallApp } from '../fixtures/small-app.ts';
import { SMALL_CHARGES } from '../fixtures/small-charges.ts';
import { NOW, REFERENCE, smallOffers } from '../fixtures/small-inventory.ts';
import { makeStore, STORE_KINDS, type TestStore } from '../fixtures/test-stores.ts';
import { type Answer, FILTERS } from './suites/search-http.ts';

const MINUTE = 60_000;

describe.each(STORE_KINDS)('Answers cached over the %s store', (kind) => {
  let store: TestStore;
  let small: SmallApp;
  beforeEach(async () => {
    store = await makeStore(kind);
    small = await openSmallApp({ store });
  });
  afterEach(() => small.close());

  function ask(variables: object, query = SEARCH_PACKAGES_QUERY, headers: Record<string, string> = {}) {
    return small.app.inject({
      method: 'POST',
      url: '/graphql',
      headers: { 'x-api-key': API_KEY, ...headers },
      payload: { query, variables },
    });
  }
  async function search(rest: object = {}, query?: string): Promise<Answer> {
    const response = await ask({ filters: FILTERS, limit: 100, ...rest }, query);
    return (response.json() as { data: { searchPackages: Answer } }).data.searchPackages;
  }
  async function hits(): Promise<number> {
    const { body } = await small.app.inject({ url: '/metrics' });
    return Number(/^skylark_search_cache_lookups_total\{outcome="hit"\} (\d+)$/m.exec(body)?.[1]);
  }
  const itemOf = ({ items }: Answer, at: number) => {
    const item = items[at];
    if (item === undefined) throw new Error('There is no such item');
    return item;
  };
  /** Changes the offers with the lowest price, which a search finds first. */
  async function change(column: number, value: number): Promise<void> {
    const writer = await openInventoryWriter(store.address);
    await writer.writeOffers(smallOffers().map((offer) => offer.with(column, value) as unknown as OfferRow));
    await writer.close();
  }

  it('are sent again, whatever the order and defaults of the variables', async () => {
    const first = await ask({ filters: FILTERS, limit: 100 });
    const second = await ask({
      nextToken: null,
      limit: 100,
      sortBy: 'PRICE_ASC',
      filters: { region: '', ...FILTERS },
    });
    expect(await hits()).toBe(1);
    expect(second.body).toBe(first.body);
    expect(second.headers).toMatchObject({
      'content-type': first.headers['content-type'],
      vary: first.headers.vary,
    });
  });

  it('differ by search, facets and content encoding', async () => {
    expect((await search()).items.length).toBeGreaterThan(1);
    expect((await search({ limit: 1 })).items).toHaveLength(1);
    expect(await search({}, SEARCH_WITH_FACETS_QUERY)).toHaveProperty('facets.bags');
    expect(await search({ refine: { bags: true } }, SEARCH_WITH_FACETS_QUERY)).toHaveProperty('facets.bags');
    const encoded = await ask({ filters: FILTERS, limit: 100 }, undefined, { 'accept-encoding': 'br' });
    expect(encoded.headers['content-encoding']).toBe('br');
    expect(await hits()).toBe(0);
    const again = await ask({ filters: FILTERS, limit: 100 }, undefined, {
      'accept-encoding': 'gzip;q=0, br',
    });
    expect(again.rawPayload).toEqual(encoded.rawPayload);
    expect(await hits()).toBe(1);
  });

  it('follow a price that changes between imports', async () => {
    await search();
    await change(OFFER.price, 123_45);
    expect(itemOf(await search(), 0)).toMatchObject({ TotalPrice: 123.45 });
    expect(await hits()).toBe(0);
  });

  it('follow new dictionaries', async () => {
    await search();
    const writer = await openInventoryWriter(store.address);
    await writer.replaceReference({
      ...REFERENCE,
      hotels: REFERENCE.hotels.map((hotel) => ({ ...hotel, name: 'Hotel Nuevo' })),
    });
    await writer.close();
    // PostgreSQL shares a reading of the dictionaries for a second; the answer itself is read from one snapshot.
    expect(itemOf(await search(), 0).Hotel).toContain('Hotel Nuevo');
  });

  it('follow each step of new local charges', async () => {
    const charges = async () => {
      const { items } = await search({ filters: { ...FILTERS, region: 'Costa Blanca' } });
      return items.map(({ AdditionalData }) => JSON.parse(String(AdditionalData)).LocalCharges as unknown);
    };
    expect(new Set(await charges())).toEqual(new Set([null]));
    const steps: unknown[] = [];
    await applyCharges(store.address, SMALL_CHARGES, {
      maxOffers: 1,
      onDay: async () => void steps.push((await charges())[0]),
    });
    expect(await charges()).not.toContain(null);
    expect(steps).toContain((await charges())[0]);
  });

  it('expire with the packages in them', async () => {
    await change(OFFER.expiresAt, NOW / MINUTE + 1);
    expect((await search()).count).toBeGreaterThan(0);
    small.passTime(MINUTE);
    expect((await search()).count).toBe(0);
  });

  it('are not kept for further pages, whose tokens expire', async () => {
    const { nextToken } = await search({ limit: 1 });
    expect((await search({ limit: 1, nextToken })).items).toHaveLength(1);
    small.passTime(59 * MINUTE + 59_000);
    expect((await search({ limit: 1, nextToken })).items).toHaveLength(1);
    small.passTime(2_000);
    expect((await ask({ filters: FILTERS, limit: 1, nextToken })).json()).toMatchObject({
      errors: [{ extensions: { code: 'BAD_TOKEN' } }],
    });
    expect(await hits()).toBe(0);
  });

  it('are not kept for refused searches', async () => {
    const wrong = { filters: { ...FILTERS, endDate: '2027-01-01' } };
    const first = await ask(wrong);
    expect((await ask(wrong)).json()).toEqual(first.json());
    expect(first.json()).toMatchObject({ errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] });
    expect(await hits()).toBe(0);
  });

  it('need the key, and are the same by GET and for other origins', async () => {
    const first = await ask({ filters: FILTERS, limit: 100 });
    const wrongKey = await ask({ filters: FILTERS, limit: 100 }, undefined, { 'x-api-key': 'another' });
    expect(wrongKey.statusCode).toBe(401);
    const elsewhere = await ask({ filters: FILTERS, limit: 100 }, undefined, {
      origin: 'https://other.example',
    });
    expect(elsewhere.headers['access-control-allow-origin']).toBe('*');
    const query = {
      query: SEARCH_PACKAGES_QUERY,
      variables: JSON.stringify({ filters: FILTERS, limit: 100 }),
    };
    for (const method of ['GET', 'HEAD'] as const) {
      const got = await small.app.inject({
        method,
        url: '/graphql',
        headers: { 'x-api-key': API_KEY },
        query,
      });
      expect(got.statusCode).toBe(200);
      expect(got.body).toBe(method === 'GET' ? first.body : '');
    }
    expect(await hits()).toBe(3);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SEARCH_PACKAGES_QUERY } from '../../../domain/search-query.ts';
import { API_KEY, openSmallApp, type SmallApp } from '../../fixtures/small-app.ts';
import { STORE_KINDS, type StoreKind } from '../../fixtures/test-stores.ts';
import { type Answer, describeSearchHttp, FILTERS, type SearchService } from './search-http.ts';

/** The same query with other whitespace, so that it does not take the direct path. */
const ANOTHER_TEXT = `# through the schema\n${SEARCH_PACKAGES_QUERY}`;

async function openService(store: StoreKind): Promise<SearchService> {
  const small = await openSmallApp({ store });
  return { close: () => small.close(), post: (body) => post(small.app, body) };
}

async function post(app: SmallApp['app'], body: object) {
  const headers = { 'x-api-key': API_KEY };
  const response = await app.inject({ method: 'POST', url: '/graphql', headers, payload: body });
  return { status: response.statusCode, json: response.json() as unknown };
}

for (const kind of STORE_KINDS) {
  const open = () => openService(kind);
  describeSearchHttp(`The direct path to the ${kind} store`, SEARCH_PACKAGES_QUERY, open);
  describeSearchHttp(`The path through the schema to the ${kind} store`, ANOTHER_TEXT, open);
}

describe('Both paths', () => {
  let small: SmallApp;
  beforeAll(async () => {
    small = await openSmallApp({ collapse: 'hotel' });
  });
  afterAll(() => small.close());

  it.each([
    ['a search', { filters: FILTERS, limit: 100 }],
    ['a page of one', { filters: { ...FILTERS, duration: null }, limit: 2, sortBy: 'DEPARTURE_DATE_DESC' }],
    ['an empty search', { filters: { ...FILTERS, country: 'Atlantis' } }],
    ['a wrong limit', { filters: FILTERS, limit: 1_000 }],
    ['a wrong token', { filters: FILTERS, nextToken: 'x' }],
    ['a missing filter', { filters: {} }],
  ])('give the same JSON for %s', async (_name, variables) => {
    const direct = await post(small.app, { query: SEARCH_PACKAGES_QUERY, variables });
    const bySchema = await post(small.app, { query: ANOTHER_TEXT, variables });
    // Only the location of an error in the query may differ.
    expect(withoutLocations(bySchema)).toEqual(withoutLocations(direct));
  });

  it('return each hotel once with SEARCH_COLLAPSE=hotel', async () => {
    const { json } = await post(small.app, {
      query: SEARCH_PACKAGES_QUERY,
      variables: { filters: { ...FILTERS, duration: null }, limit: 100 },
    });
    const { items, count } = (json as { data: { searchPackages: Answer } }).data.searchPackages;
    const hotels = items.map(({ HotelIdentifierCode }) => HotelIdentifierCode);
    expect(new Set(hotels).size).toBe(hotels.length);
    expect(count).toBe(hotels.length);
  });

  it.each(["Spain' or '1'='1", 'Spain"; drop table offer; --', 'Spain\u0000', '%', '_____'])(
    'find nothing in the country %j',
    async (country) => {
      const { json } = await post(small.app, {
        query: SEARCH_PACKAGES_QUERY,
        variables: { filters: { ...FILTERS, country }, limit: 100 },
      });
      expect(json).toMatchObject({ data: { searchPackages: { items: [], count: 0 } } });
    },
  );

  it('refuse a token after an hour', async () => {
    const ask = (nextToken: string | null) =>
      post(small.app, { query: SEARCH_PACKAGES_QUERY, variables: { filters: FILTERS, limit: 1, nextToken } });
    const first = await ask(null);
    const { nextToken } = (first.json as { data: { searchPackages: Answer } }).data.searchPackages;
    expect((await ask(nextToken)).json).not.toHaveProperty('errors');
    small.passTime(61 * 60 * 1000);
    expect((await ask(nextToken)).json).toMatchObject({ errors: [{ extensions: { code: 'BAD_TOKEN' } }] });
  });
});

function withoutLocations(answer: { json: unknown }): unknown {
  return JSON.parse(
    JSON.stringify(answer, (key, value: unknown) => (key === 'locations' ? undefined : value)),
  );
}

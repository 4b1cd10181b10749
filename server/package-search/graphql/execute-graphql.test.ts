import { expect, it } from 'vitest';
import { SEARCH_PACKAGES_QUERY } from '../../../domain/search-query.ts';
import { INTERNAL_CALLER } from '../../lib/caller.ts';
import type { SearchPackages, SearchResponse } from '../fields/search-packages.ts';
import type { AnswerCache } from './answer-cache.ts';
import { graphqlExecutor } from './execute-graphql.ts';

const FILTERS = { brand: 'SKY', startDate: '2027-05-03', endDate: '2027-05-10', departureAirports: ['LGW'] };

const NOTHING_FOUND: SearchResponse = {
  kind: 'response',
  items: [],
  nextToken: null,
  count: 0,
  hasMoreData: false,
  queriesExecuted: 0,
  facets: null,
  madeFrom: { inventoryVersion: '1', minute: 0 },
};

const never = () => Promise.reject(new Error('Not asked'));

function answersOver(
  search: SearchPackages,
  charge: (client: string, units: number) => number,
  answers?: AnswerCache,
) {
  const others = {
    priceAnalysis: never,
    priceHistory: never,
    cheapestDates: never,
    priceCalendar: never,
    explore: never,
  };
  const options = { introspection: false, collapse: 'hotel', charge, ...(answers && { answers }) } as const;
  return graphqlExecutor({ direct: search, schema: search }, others, options);
}

const ask = (query: string) => ({
  query,
  variables: { filters: FILTERS, limit: 10 },
  operationName: null,
  acceptEncoding: undefined,
});

it.each([
  ['the query of the page', SEARCH_PACKAGES_QUERY, 1],
  ['another query', `# Another text\n${SEARCH_PACKAGES_QUERY}`, 2],
])('searches for nothing that the client cannot afford: %s', async (_what, query, charges) => {
  let searches = 0;
  const charged: number[] = [];
  const answer = answersOver(
    async () => {
      searches += 1;
      return NOTHING_FOUND;
    },
    (_client, units) => {
      charged.push(units);
      return charged.length > charges ? 7 : 0;
    },
  );
  expect((await answer(ask(query), INTERNAL_CALLER)).kind).toBe('response');
  expect(await answer(ask(query), INTERNAL_CALLER)).toEqual({ kind: 'rate limited', retryAfter: 7 });
  expect(searches).toBe(1);
  // Both paths cost the same, but compiling a new query text costs more.
  expect(charged.at(-1)).toBe(charged.at(-2));
});

it('gives each field its parsed arguments, on both paths', async () => {
  const asked: unknown[] = [];
  const answer = answersOver(
    async (parsed) => {
      if (parsed.kind === 'request') asked.push(parsed.request);
      return NOTHING_FOUND;
    },
    () => 0,
  );
  const twice = `query ($filters: PackageSearchFilters!, $limit: Int) {
    one: searchPackages(filters: $filters, limit: $limit) { count }
    other: searchPackages(filters: $filters, limit: 2) { count }
  }`;
  await answer(ask(SEARCH_PACKAGES_QUERY), INTERNAL_CALLER);
  await answer(ask(twice), INTERNAL_CALLER);
  const [direct, one, other] = asked;
  expect(direct).toMatchObject({
    filters: { ...FILTERS, numberOfAdults: 2 },
    sortBy: 'PRICE_ASC',
    limit: 10,
  });
  expect(one).toEqual(direct);
  expect(other).toEqual({ ...(one as object), limit: 2 });
});

it('charges a client before it looks for a cached answer', async () => {
  const steps: string[] = [];
  const cached: AnswerCache = {
    async find() {
      steps.push('find');
      return { body: Buffer.from('{}'), encoding: null };
    },
    add: () => {},
  };
  const charge = () => {
    steps.push('charge');
    return steps.length > 2 ? 7 : 0;
  };
  const answer = answersOver(never, charge, cached);
  expect((await answer(ask(SEARCH_PACKAGES_QUERY), INTERNAL_CALLER)).kind).toBe('response');
  expect((await answer(ask(SEARCH_PACKAGES_QUERY), INTERNAL_CALLER)).kind).toBe('rate limited');
  expect(steps).toEqual(['charge', 'find', 'charge']);
});

it('aborts the other fields of a request when one has failed', async () => {
  const query = `query ($filters: PackageSearchFilters!) {
    one: searchPackages(filters: $filters) { count }
    other: searchPackages(filters: $filters, limit: 2) { count }
  }`;
  const aborted: boolean[] = [];
  let asked = 0;
  const answer = answersOver(
    async (_variables, caller) => {
      asked += 1;
      if (asked === 1) throw new Error('The store has failed');
      return new Promise((_resolve, reject) => {
        const ended = () => {
          aborted.push(true);
          reject(new Error('Given up'));
        };
        if (caller?.signal.aborted) ended();
        else caller?.signal.addEventListener('abort', ended);
      });
    },
    () => 0,
  );
  await expect(answer(ask(query), INTERNAL_CALLER)).rejects.toMatchObject({
    cause: { message: 'The store has failed' },
  });
  expect(aborted).toEqual([true]);
});

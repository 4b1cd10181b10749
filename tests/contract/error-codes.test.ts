import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ERRORS, type ErrorCode } from '../../server/lib/error-codes.ts';
import { Overloaded } from '../../server/lib/overloaded.ts';
import { StoreUnavailable } from '../../server/lib/store-unavailable.ts';
import { ThreadEnded } from '../../server/lib/thread-ended.ts';
import { API_KEY, openSmallApp, type SmallApp } from '../fixtures/small-app.ts';
import { FILTERS } from './suites/search-http.ts';

const FIELD = 'searchPackages(filters: $filters) { count }';
const QUERY = `query ($filters: PackageSearchFilters!) { ${FIELD} }`;

describe('Errors have codes', () => {
  let failure: Error;
  let small: SmallApp;
  beforeAll(async () => {
    small = await openSmallApp({ record: () => Promise.reject(failure) });
  });
  afterAll(() => small.close());

  const graphql = (payload: object | string, headers: Record<string, string> = {}) =>
    small.app.inject({
      method: 'POST',
      url: '/graphql',
      headers: { 'x-api-key': API_KEY, 'content-type': 'application/json', ...headers },
      payload,
    });
  const click = () =>
    small.app.inject({ method: 'POST', url: '/visits', payload: { itemKey: 'a:package', price: 100 } });
  const costly = `query ($filters: PackageSearchFilters!) { ${Array.from({ length: 10 }, (_, nth) => `a${nth}: explore(filters: $filters) { TotalPrice }`).join(' ')} }`;
  const wide = { ...FILTERS, duration: null, endDate: '2028-12-23' };

  it.each<[ErrorCode, () => ReturnType<typeof graphql>]>([
    ['BAD_REQUEST', () => graphql('{"query":')],
    ['QUERY_TOO_EXPENSIVE', () => graphql({ query: costly, variables: { filters: wide } })],
    ['UNAUTHORIZED', () => graphql({ query: QUERY }, { 'x-api-key': 'guess' })],
    ['NOT_FOUND', () => small.app.inject({ url: '/nothing' })],
    ['METHOD_NOT_ALLOWED', () => small.app.inject({ method: 'DELETE', url: '/graphql' })],
    ['BODY_TOO_LARGE', () => graphql({ query: 'x'.repeat(70_000) })],
    ['UNSUPPORTED_MEDIA_TYPE', () => graphql('text', { 'content-type': 'text/plain' })],
  ])('%s over HTTP', async (code, ask) => {
    const response = await ask();
    expect(response.statusCode).toBe(ERRORS[code].status);
    expect(response.json()).toEqual({ error: expect.stringMatching(/\.$/), code });
  });

  it.each<[ErrorCode, string, Error]>([
    ['STORE_UNAVAILABLE', '5', new StoreUnavailable()],
    ['OVERLOADED', '3', new Overloaded(2_500)],
    ['INTERRUPTED', '2', new ThreadEnded('Worker visits stopped')],
  ])('%s with 503 and Retry-After, also as the cause of another error', async (code, seconds, error) => {
    for (failure of [error, new Error('The query failed', { cause: error })]) {
      const response = await click();
      expect([response.statusCode, response.headers['retry-after']]).toEqual([503, seconds]);
      expect(response.json()).toEqual({ error: ERRORS[code].sentence, code });
    }
  });

  it('INTERNAL hides the cause, which is in the log', async () => {
    failure = new Error('a secret');
    const response = await click();
    expect(response.statusCode).toBe(500);
    expect(response.json()).toEqual({ error: ERRORS.INTERNAL.sentence, code: 'INTERNAL' });
  });

  it.each<[ErrorCode, string, object]>([
    ['BAD_QUERY', '{ searchPackages(', {}],
    ['BAD_QUERY', '{ everything }', {}],
    ['BAD_QUERY', `{ ${Array.from({ length: 11 }, (_, nth) => `a${nth}: __typename`).join(' ')} }`, {}],
    ['BAD_USER_INPUT', QUERY, { filters: { ...FILTERS, duration: 'a week' } }],
    ['BAD_USER_INPUT', QUERY, { filters: { ...FILTERS, startDate: 'soon' } }],
    [
      'BAD_TOKEN',
      QUERY.replace('filters: $filters', 'filters: $filters, nextToken: "forged"'),
      { filters: FILTERS },
    ],
  ])('%s in the errors of GraphQL', async (code, query, variables) => {
    const response = await graphql({ query, variables });
    expect(response.statusCode).toBe(200);
    expect(response.json()).toMatchObject({ errors: [{ extensions: { code } }] });
  });
});

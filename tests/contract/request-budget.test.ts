import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { API_KEY, openSmallApp, type SmallApp } from '../fixtures/small-app.ts';
import { STORE_KINDS } from '../fixtures/test-stores.ts';
import { FILTERS } from './suites/search-http.ts';

const WIDEST = {
  ...FILTERS,
  duration: null,
  endDate: '2028-12-23',
  departureAirports: Array.from({ length: 200 }, () => 'LGW'),
};
const FIELD = 'searchPackages(filters: $filters) { count }';

describe.each(STORE_KINDS)('The budget of a request, %s store', (store) => {
  let small: SmallApp;
  beforeAll(async () => {
    small = await openSmallApp({ store });
  });
  afterAll(() => small.close());

  const ask = (selections: string, filters: object) =>
    small.app.inject({
      method: 'POST',
      url: '/graphql',
      headers: { 'x-api-key': API_KEY },
      payload: {
        query: `query ($filters: PackageSearchFilters!) { ${selections} }`,
        variables: { filters },
      },
    });

  it('charges a client for the cost of its requests, and rejects them with 429 beyond its allowance', async () => {
    const askNew = (nth: number, remoteAddress = '192.0.2.60') =>
      small.app.inject({
        method: 'POST',
        url: '/graphql',
        remoteAddress,
        headers: { 'x-api-key': API_KEY },
        payload: { query: `query Q${nth} { __typename }` },
      });
    // A new query costs 500 of the 60,000 units that a client may spend in one burst.
    const answers = await Promise.all(Array.from({ length: 200 }, (_, nth) => askNew(nth)));
    expect(new Set(answers.slice(0, 120).map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    const refused = answers.find(({ statusCode }) => statusCode !== 200);
    expect(refused?.statusCode).toBe(429);
    expect(refused?.headers['retry-after']).toBe('1');
    expect((await askNew(300, '192.0.2.61')).statusCode).toBe(200);
  });

  it('runs the widest search', async () => {
    const response = await ask(FIELD, WIDEST);
    expect(response.statusCode).toBe(200);
    expect(response.json()).toMatchObject({ data: { searchPackages: { count: expect.any(Number) } } });
  });

  it.each([
    ['aliases', `a: ${FIELD} b: ${FIELD}`],
    ['fragments', `... on Query { a: ${FIELD} } ... on Query { b: ${FIELD} }`],
    [
      'calendars',
      'a: priceCalendar(filters: $filters) { TotalPrice } b: priceCalendar(filters: $filters) { Duration }',
    ],
    ['places', 'a: explore(filters: $filters) { TotalPrice } b: explore(filters: $filters) { Duration }'],
    [
      'nearby dates',
      Array.from({ length: 10 }, (_, nth) => `a${nth}: cheapestDates(filters: $filters) { TotalPrice }`).join(
        ' ',
      ),
    ],
  ])('refuses more than that by %s with 400 and a sentence', async (_name, selections) => {
    const response = await ask(selections, WIDEST);
    expect(response.statusCode).toBe(400);
    expect(response.json<{ error: string }>().error).toMatch(/^This request is too expensive: .+ fewer /);
  });

  it('reports only the first few of many mistakes', async () => {
    const names = Array.from({ length: 120 }, (_, nth) => `unknown${nth}`).join(' ');
    const response = await ask(`${'\n'.repeat(900)}${names}`, FILTERS);
    expect(response.statusCode).toBe(200);
    expect(response.json<{ errors: unknown[] }>().errors).toHaveLength(6);
  });

  it('rejects a query that is longer than any useful one', async () => {
    const response = await ask(`${FIELD}${'\n'.repeat(20_000)}`, FILTERS);
    expect(response.json<{ errors: { message: string }[] }>().errors).toMatchObject([
      { message: expect.stringContaining('at most 16,384 characters') },
    ]);
  });

  it.each(['\n', '\r', '\r\n'])(
    'rejects a query of more lines than any useful one, ended by %j',
    async (end) => {
      const response = await ask(`priceHistory(itemKey: """${end.repeat(1_000)}""") { __typename }`, FILTERS);
      expect(response.json<{ errors: { message: string }[] }>().errors).toMatchObject([
        { message: 'A query can have at most 1,000 lines.' },
      ]);
    },
  );

  it.each([
    ['unfold to more fields than any useful query has', '...f1 ...f1', 'at most 1,000 fields'],
    ['use themselves', '...f0', 'cannot use itself'],
  ])('rejects fragments that %s, before it validates them', async (_name, first, message) => {
    const fragmentOf = (nth: number, content: string) =>
      `fragment f${nth} on SearchPackagesAnswer { ${content} }`;
    const chain = Array.from({ length: 20 }, (_, nth) =>
      fragmentOf(nth + 1, `...f${nth + 2} ...f${nth + 2}`),
    );
    const response = await small.app.inject({
      method: 'POST',
      url: '/graphql',
      headers: { 'x-api-key': API_KEY },
      payload: {
        query: [
          'query ($filters: PackageSearchFilters!) { searchPackages(filters: $filters) { ...f0 } }',
          fragmentOf(0, first),
          ...chain,
          fragmentOf(21, 'count'),
        ].join(' '),
        variables: { filters: FILTERS },
      },
    });
    expect(response.json<{ errors: { message: string }[] }>().errors).toMatchObject([
      { message: expect.stringContaining(message) },
    ]);
  });

  it('runs ten small searches in a request', async () => {
    const fields = Array.from({ length: 10 }, (_, nth) => `a${nth}: ${FIELD}`).join(' ');
    const { data } = (await ask(fields, FILTERS)).json<{ data: Record<string, { count: number }> }>();
    expect(Object.keys(data)).toHaveLength(10);
    expect(new Set(Object.values(data).map(({ count }) => count)).size).toBe(1);
  });

  it('has nothing waiting once clients have disconnected, and runs the next search', async () => {
    await small.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = small.app.server.address() as AddressInfo;
    const body = JSON.stringify({
      query: `query ($filters: PackageSearchFilters!) { ${FIELD} }`,
      variables: { filters: WIDEST },
    });
    const headers = { 'x-api-key': API_KEY, 'content-type': 'application/json' };
    const metrics = async () => (await small.app.inject({ url: '/metrics' })).body;
    const hangUps = Array.from({ length: 20 }, () => {
      const given = httpRequest({ port, method: 'POST', path: '/graphql', headers });
      given.on('error', () => {});
      given.end(body, () => setImmediate(() => given.destroy()));
      return new Promise((resolve) => given.once('close', resolve));
    });
    await Promise.all(hangUps);
    await vi.waitFor(
      async () => {
        const waiting = await metrics();
        expect(waiting).toMatch(/^skylark_queue_waiting\{queue="[^"]+"\} 0$/m);
        expect(waiting).not.toMatch(/^skylark_queue_waiting\{[^}]+\} [1-9]/m);
      },
      { timeout: 20_000 },
    );
    expect((await ask(FIELD, WIDEST)).statusCode).toBe(200);
  });
});

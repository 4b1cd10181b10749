import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { codegen } from '@graphql-codegen/core';
import * as typescript from '@graphql-codegen/typescript';
import * as operations from '@graphql-codegen/typescript-operations';
import { Client, fetchExchange } from '@urql/core';
import { buildClientSchema, buildSchema, getIntrospectionQuery, parse, printSchema } from 'graphql';
import { GraphQLClient } from 'graphql-request';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SEARCH_PACKAGES_QUERY } from '../../domain/search-query.ts';
import { API_KEY, openSmallApp, type SmallApp } from '../fixtures/small-app.ts';

const FILTERS = {
  brand: 'SKY',
  startDate: '2027-05-01',
  endDate: '2027-05-08',
  departureAirports: ['LGW'],
  duration: 7,
};
const QUERY = `query Prices($filters: PackageSearchFilters!) {
  searchPackages(filters: $filters, sortBy: PRICE_ASC, limit: 5) { count items { ItemKey TotalPrice } }
}`;
const VARIABLES = { filters: FILTERS };
const KEY = { 'x-api-key': API_KEY };

let small: SmallApp;
let url: string;
beforeAll(async () => {
  small = await openSmallApp({ introspection: true });
  url = `${await small.app.listen({ port: 0, host: '127.0.0.1' })}/graphql`;
});
afterAll(() => small.close());

/** The results of the page's own request, to compare the clients' with. */
async function expected(): Promise<unknown> {
  const answer = await small.app.inject({
    method: 'POST',
    url: '/graphql',
    headers: KEY,
    payload: { query: SEARCH_PACKAGES_QUERY, variables: { ...VARIABLES, sortBy: 'PRICE_ASC', limit: 5 } },
  });
  const { count, items } = answer.json().data.searchPackages;
  expect(items.length).toBeGreaterThan(0);
  return {
    count,
    items: items.map(({ ItemKey, TotalPrice }: { ItemKey: string; TotalPrice: number }) => ({
      ItemKey,
      TotalPrice,
    })),
  };
}

describe('Popular GraphQL clients', () => {
  it('search with urql, by POST and by GET', async () => {
    for (const preferGetMethod of [false, 'force'] as const) {
      const client = new Client({
        url,
        exchanges: [fetchExchange],
        preferGetMethod,
        fetchOptions: { headers: KEY },
      });
      const { data, error } = await client.query(QUERY, VARIABLES).toPromise();
      expect(error).toBeUndefined();
      expect(data.searchPackages).toMatchObject(Object(await expected()));
    }
  });

  it('search with Apollo Client, by POST and by GET', async () => {
    for (const useGETForQueries of [false, true]) {
      const link = new HttpLink({ uri: url, headers: KEY, useGETForQueries });
      const client = new ApolloClient({ link, cache: new InMemoryCache() });
      const { data } = await client.query<{ searchPackages: object }>({
        query: gql(QUERY),
        variables: VARIABLES,
      });
      expect(data?.searchPackages).toMatchObject(Object(await expected()));
      client.stop();
    }
  });

  it('search with graphql-request, by POST and by GET', async () => {
    for (const method of ['POST', 'GET'] as const) {
      const client = new GraphQLClient(url, { headers: KEY, method, jsonSerializer: JSON });
      const { searchPackages } = await client.request<{ searchPackages: object }>(QUERY, VARIABLES);
      expect(searchPackages).toEqual(await expected());
    }
  });

  it('generate types with GraphQL Code Generator from the served schema', async () => {
    const served = await small.app.inject('/schema.graphql');
    expect(served.headers['content-type']).toMatch('text/plain; charset=utf-8');
    const types = await codegen({
      schema: parse(served.body),
      documents: [{ document: parse(QUERY) }],
      filename: 'types.ts',
      config: {},
      plugins: [{ typescript: {} }, { operations: {} }],
      pluginMap: { typescript, operations },
    });
    expect(types).toContain('export type PricesQuery = ');
    expect(types).toContain('TotalPrice');
  });

  it('read the same schema by introspection as from /schema.graphql', async () => {
    const client = new GraphQLClient(url, { headers: KEY });
    const introspected = buildClientSchema(await client.request(getIntrospectionQuery()));
    const served = buildSchema((await small.app.inject('/schema.graphql')).body);
    expect(printSchema(introspected)).toBe(printSchema(served));
  });

  it('get a clear error for a GET without a query, or with variables that are not JSON', async () => {
    for (const query of ['', '?query=%7B__typename%7D&variables=nonsense']) {
      const answer = await small.app.inject({ url: `/graphql${query}`, headers: KEY });
      expect(answer.statusCode).toBe(400);
      expect(answer.json().error).toContain('query');
    }
  });
});

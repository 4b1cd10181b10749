import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { buildSearchFilters } from '../../domain/search-filters.ts';
import { SEARCH_PACKAGES_QUERY } from '../../domain/search-query.ts';
import { SEARCH } from '../../tests/fixtures/page-search.ts';
import { UNREACHABLE_MESSAGE } from '../data/request.ts';
import { createSearchClient, type SearchRequest, type SearchResponse } from './search-client.ts';

const filters = buildSearchFilters(SEARCH, 'SKY');
if (filters === null) throw new Error('the search of this test is incomplete');
const REQUEST: SearchRequest = { filters, sortBy: 'PRICE_ASC', limit: 100, nextToken: null };
const CONFIG = { searchEndpoint: 'https://search.example/graphql', searchApiKey: 'key' };

const logged = vi.fn();
beforeEach(() => {
  logged.mockClear();
  vi.spyOn(console, 'error').mockImplementation(logged);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function search(response: () => Promise<Response> | Response, signal = new AbortController().signal) {
  vi.stubGlobal('fetch', async () => response());
  return createSearchClient(CONFIG)(REQUEST, signal);
}

function found(searchPackages: unknown): () => Response {
  return () => Response.json({ data: { searchPackages } });
}

function html(status: number): Response {
  return new Response('<h1>Bad gateway</h1>', { status, headers: { 'content-type': 'text/html' } });
}

describe('createSearchClient', () => {
  it('posts the query with its variables and the key', async () => {
    const send = vi.fn(async (_url: unknown, _request?: RequestInit) => found({ items: [] })());
    vi.stubGlobal('fetch', send);
    await createSearchClient(CONFIG)(REQUEST, new AbortController().signal);
    const [url, request] = send.mock.calls[0] ?? [];
    expect(url).toBe('https://search.example/graphql');
    expect(request).toMatchObject({
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': 'key' },
    });
    expect(await new Request('https://search.example', request).json()).toEqual({
      query: SEARCH_PACKAGES_QUERY,
      variables: REQUEST,
    });
  });

  it.each<[unknown, Partial<SearchResponse>]>([
    [
      { items: [1, null], nextToken: 't', hasMoreData: true },
      { items: [1, null], nextToken: 't', hasMoreData: true },
    ],
    [
      { items: null, nextToken: null, hasMoreData: null, errors: null },
      { items: [], nextToken: null, hasMoreData: false },
    ],
    [{ items: [1], count: 181 }, { count: 181 }],
    [
      { items: [1], count: 'many' },
      { items: [1], count: null },
    ],
    [{}, { items: [], nextToken: null, hasMoreData: false }],
    [{ items: [1], errors: ['one of two stores was unavailable'] }, { items: [1] }],
  ])('reads %j', async (searchPackages, response) => {
    expect(await search(found(searchPackages))).toMatchObject(response);
    expect(logged).not.toHaveBeenCalled();
  });

  // @proves 8.1, 8.2
  it.each<[string, () => Promise<Response> | Response, string | RegExp]>([
    ['a rejected key', () => new Response('no key', { status: 401 }), 'API Error: 401 - no key'],
    ['a failing server', () => new Response('', { status: 502 }), 'API Error: 502 - '],
    ['a body of two lines', () => new Response('no\n\tkey', { status: 500 }), /^API Error: 500 - no key$/],
    ["a proxy's page", () => html(502), UNREACHABLE_MESSAGE],
    ["a portal's page", () => html(200), UNREACHABLE_MESSAGE],
    [
      'GraphQL errors',
      () => Response.json({ errors: [{ message: 'BAD' }], data: null }),
      'GraphQL query failed',
    ],
    ['errors in an empty response', found({ items: [], errors: ['timeout'] }), 'GraphQL query failed'],
    ['an unreachable server', () => Promise.reject(new TypeError('Failed to fetch')), UNREACHABLE_MESSAGE],
    ['an HTML page', () => new Response('<!doctype html>'), /couldn’t read the search results/],
    [
      'another shape',
      () => Response.json({ data: { searchPackages: { items: 'many' } } }),
      /couldn’t read the search results/,
    ],
    ['no response', () => Response.json({ data: {} }), /couldn’t read the search results/],
    ['null', () => Response.json(null), /couldn’t read the search results/],
  ])('logs %s and rejects', async (_, response, message) => {
    await expect(search(response)).rejects.toThrow(message);
    expect(logged).toHaveBeenCalledOnce();
  });

  it('reports no failure after an abort', async () => {
    const abort = new AbortController();
    const response = () => {
      abort.abort();
      return Promise.reject(abort.signal.reason);
    };
    await expect(search(response, abort.signal)).rejects.toMatchObject({ cause: { name: 'AbortError' } });
    expect(logged).not.toHaveBeenCalled();
  });
});

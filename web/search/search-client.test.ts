import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { buildSearchFilters } from '../../domain/search-filters.ts';
import { SEARCH_PACKAGES_QUERY } from '../../domain/search-query.ts';
import { SEARCH } from '../../tests/fixtures/page-search.ts';
import { UNREACHABLE_MESSAGE, UNREADABLE_MESSAGE } from './failure-messages.ts';
import { createSearchClient, type SearchAnswer, type SearchQuestion } from './search-client.ts';

const filters = buildSearchFilters(SEARCH, 'SKY');
if (filters === null) throw new Error('the search of this test is whole');
const QUESTION: SearchQuestion = { filters, sortBy: 'PRICE_ASC', limit: 100, nextToken: null };
const CONFIG = { searchEndpoint: 'https://search.example/graphql', searchApiKey: 'key' };

const logged = vi.fn();
beforeEach(() => {
  logged.mockClear();
  vi.spyOn(console, 'error').mockImplementation(logged);
});
afterEach(() => vi.restoreAllMocks());

function ask(answer: () => Promise<Response> | Response, signal = new AbortController().signal) {
  return createSearchClient(CONFIG, async () => answer())(QUESTION, signal);
}

function found(searchPackages: unknown): () => Response {
  return () => Response.json({ data: { searchPackages } });
}

describe('the search client', () => {
  it('posts the query with its variables and the key', async () => {
    const send = vi.fn(async (_url: unknown, _request?: RequestInit) => found({ items: [] })());
    await createSearchClient(CONFIG, send)(QUESTION, new AbortController().signal);
    const [url, request] = send.mock.calls[0] ?? [];
    expect(url).toBe('https://search.example/graphql');
    expect(request).toMatchObject({
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': 'key' },
    });
    expect(await new Request('https://search.example', request).json()).toEqual({
      query: SEARCH_PACKAGES_QUERY,
      variables: QUESTION,
    });
  });

  it.each<[unknown, Partial<SearchAnswer>]>([
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
    [{ items: [1], errors: ['one of two stores was away'] }, { items: [1] }],
  ])('reads %j', async (searchPackages, answer) => {
    expect(await ask(found(searchPackages))).toMatchObject(answer);
    expect(logged).not.toHaveBeenCalled();
  });

  // @proves 8.1, 8.2
  it.each<[string, () => Promise<Response> | Response, string]>([
    ['a refusal', () => new Response('no key', { status: 401 }), 'API Error: 401 - no key'],
    ['a broken server', () => new Response('', { status: 502 }), 'API Error: 502 - '],
    [
      'GraphQL errors',
      () => Response.json({ errors: [{ message: 'BAD' }], data: null }),
      'GraphQL query failed',
    ],
    ['errors in an empty answer', found({ items: [], errors: ['timeout'] }), 'GraphQL query failed'],
    ['no network', () => Promise.reject(new TypeError('Failed to fetch')), UNREACHABLE_MESSAGE],
    ['a page', () => new Response('<!doctype html>'), UNREADABLE_MESSAGE],
    [
      'another shape',
      () => Response.json({ data: { searchPackages: { items: 'many' } } }),
      UNREADABLE_MESSAGE,
    ],
    ['no answer', () => Response.json({ data: {} }), UNREADABLE_MESSAGE],
    ['null', () => Response.json(null), UNREADABLE_MESSAGE],
  ])('logs %s and throws it on', async (_, answer, message) => {
    await expect(ask(answer)).rejects.toThrow(new Error(message));
    expect(logged).toHaveBeenCalledOnce();
  });

  it('reports no failure after an abort', async () => {
    const abort = new AbortController();
    const answer = () => {
      abort.abort();
      return Promise.reject(abort.signal.reason);
    };
    await expect(ask(answer, abort.signal)).rejects.toThrow();
    expect(logged).not.toHaveBeenCalled();
  });
});

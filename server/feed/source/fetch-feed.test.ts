import { once } from 'node:events';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../tests/fixtures/temporary-folder.ts';
import { type FetchSetting, fetchFeed } from './fetch-feed.ts';

let folder: ReturnType<typeof temporaryFolder>;
let server: Server;
let asked: string[];
beforeEach(() => {
  folder = temporaryFolder();
  asked = [];
});
afterEach(() => {
  folder.remove();
  server.closeAllConnections();
  server.close();
});

/** Fetches from the test's server: every allowed host resolves to it. */
async function fetchFrom(answer: RequestListener, address: string, change: Partial<FetchSetting> = {}) {
  server = createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const path = join(folder.path, 'feed');
  return await fetchFeed(address, path, {
    hosts: ['feeds.example', 'more.example'],
    onRead: async () => {},
    fetch(url, init) {
      asked.push(url.href);
      return fetch(new URL(url.pathname, `http://127.0.0.1:${port}`), init);
    },
    ...change,
  });
}

describe('fetching a feed', () => {
  it('writes the response to a file, after a redirect to a listed host', async () => {
    await fetchFrom(({ url }, reply) => {
      if (url === '/a') reply.writeHead(302, { location: 'https://more.example/b' }).end();
      else reply.end('the feed');
    }, 'https://feeds.example/a');
    expect(readFileSync(join(folder.path, 'feed'), 'utf8')).toBe('the feed');
    expect(asked).toEqual(['https://feeds.example/a', 'https://more.example/b']);
  });

  it.each<[string, string, RequestListener, Partial<FetchSetting>, RegExp]>([
    ['another host', 'https://evil.example/a', () => {}, {}, /evil\.example\) is not allowed by FEED_HOSTS/],
    ['a plain connection', 'http://feeds.example/a', () => {}, {}, /FEED_HOSTS/],
    ['a user name', 'https://a@feeds.example/a', () => {}, {}, /FEED_HOSTS/],
    [
      'a redirect off the list',
      'https://feeds.example/a',
      (_request, reply) => reply.writeHead(301, { location: 'https://evil.example/' }).end(),
      {},
      /A redirect .*evil\.example/,
    ],
    [
      'a redirect to a plain connection',
      'https://feeds.example/a',
      (_request, reply) => reply.writeHead(301, { location: 'http://feeds.example/' }).end(),
      {},
      /A redirect/,
    ],
    [
      'redirects without end',
      'https://feeds.example/a',
      (_request, reply) => reply.writeHead(302, { location: '/a' }).end(),
      {},
      /more than 5 times/,
    ],
    [
      'an error',
      'https://feeds.example/a?key=secret',
      (_request, reply) => reply.writeHead(403).end(),
      {},
      /feeds\.example responded with status 403/,
    ],
    [
      'a feed without end',
      'https://feeds.example/a',
      (_request, reply) => reply.end('x'.repeat(2_000)),
      { mostBytes: 1_000 },
      /larger than 1000 bytes/,
    ],
    [
      'a feed that never ends',
      'https://feeds.example/a',
      (_request, reply) => reply.write('x'),
      { mostMs: 300 },
      /longer than 0\.3 seconds/,
    ],
    [
      'a feed that breaks off',
      'https://feeds.example/a',
      (_request, reply) => {
        reply.writeHead(200, { 'content-length': '100' });
        reply.write('x', () => reply.destroy());
      },
      {},
      /lost after 1 of 100 bytes/,
    ],
  ])('refuses %s, and quotes only the host of the URL', async (_what, address, answer, change, words) => {
    const failure = await fetchFrom(answer, address, change).then(
      () => new Error('It was fetched'),
      (error: unknown) => error as Error,
    );
    expect(failure.name).toBe('FeedFault');
    expect(failure.message).toMatch(words);
    expect(failure.message).not.toContain('secret');
  });

  it('asks for a newer version than the one before', async () => {
    const conditions: unknown[] = [];
    const answer: RequestListener = ({ headers }, reply) => {
      conditions.push(headers['if-none-match']);
      if (headers['if-none-match'] === '"one"') reply.writeHead(304).end();
      else reply.writeHead(200, { etag: '"one"', 'last-modified': 'Mon, 01 Mar 2027 00:00:00 GMT' }).end('x');
    };
    const first = await fetchFrom(answer, 'https://feeds.example/a');
    expect(first).toMatchObject({ kind: 'fetched', modifiedAt: Date.UTC(2027, 2, 1) });
    const cachedVersion = first.kind === 'fetched' ? first.version : null;
    expect(await fetchFrom(answer, 'https://feeds.example/a', { cachedVersion })).toEqual({
      kind: 'unchanged',
    });
    expect(conditions).toEqual([undefined, '"one"']);
  });

  it.runIf(existsSync('/dev/full'))('does not take a full disk for a lost connection', async () => {
    symlinkSync('/dev/full', join(folder.path, 'feed'));
    const fetching = fetchFrom((_request, reply) => reply.end('the feed'), 'https://feeds.example/a');
    await expect(fetching).rejects.toMatchObject({ code: 'ENOSPC' });
  });
});

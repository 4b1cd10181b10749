import { maxHeaderSize } from 'node:http';
import { afterAll, describe, expect, it } from 'vitest';
import { documentedLimit, documentedRows } from '../../tests/fixtures/documented-limit.ts';
import { connectionsWithFiles } from '../lib/open-files.ts';
import { ANY_PARTS, LEAST_MEAN } from './body-parts.ts';
import { boundedServer, CONNECTION_LIMITS, MOST_HEADER_TEXTS } from './bounded-server.ts';
import { MOST_BETWEEN } from './bytes-between.ts';
import { CROWD, MOST_KEPT } from './connection-tarpit.ts';
import { OPEN_REQUEST_LIMITS } from './open-requests.ts';
import { PRESSURE_LIMITS } from './pressure.ts';
import { MAX_HELD, MOST_UPLOADS } from './request-bodies.ts';
import { MOST_UNREAD } from './unread-bodies.ts';

const server = boundedServer(() => {});
afterAll(() => void server.close());

/** The numbers of a text with their units. */
const numbersIn = (text: string) =>
  text.match(/\d+(?:,\d{3})*(?:\.\d+)?(?:%| (?:bytes|kB|MB|seconds)\b)?/g) ?? [];

const count = (number: number) => number.toLocaleString('en-GB');
const percent = (share: number) => `${share * 100}%`;
const kilobytes = (bytes: number) => `${bytes / 1_024} kB`;
const megabytes = (bytes: number) => `${bytes / 1_024 / 1_024} MB`;
const seconds = (ms: number | undefined) => `${(ms ?? Number.NaN) / 1_000} seconds`;
const FILES = 10_000;
const otherFiles = FILES - connectionsWithFiles(`Max open files ${FILES}`);
const { all, ofNetwork, ofNetworkWhileFull, ofPageWhileFull, most } = OPEN_REQUEST_LIMITS;

describe('Limits', () => {
  it.each([
    ['headers', [kilobytes(maxHeaderSize), count(MOST_HEADER_TEXTS / 2), seconds(server.headersTimeout)]],
    ['a whole request', [seconds(server.requestTimeout)]],
    ['a silent connection', [seconds(server.timeout), count(server.keepAliveTimeout / 1_000)]],
    ['a body that is answered before it has arrived', [kilobytes(MOST_UNREAD)]],
    ['a body in parts (`Transfer-Encoding: chunked`)', [`${LEAST_MEAN} bytes`, count(ANY_PARTS)]],
    ['all bodies that are read or processed', [megabytes(MAX_HELD), count(MOST_UPLOADS)]],
    ['connections', [count(CONNECTION_LIMITS.mostConnections), count(otherFiles)]],
    [
      "a trusted proxy's new connections for a network with many requests held back",
      [count(CROWD), kilobytes(MOST_KEPT)],
    ],
    ['bytes between two requests of one connection, such as blank lines', [kilobytes(MOST_BETWEEN)]],
    ['requests that wait on one connection', [count(CONNECTION_LIMITS.mostWaiting)]],
    ['responses that clients do not read', [megabytes(CONNECTION_LIMITS.mostUnread)]],
    [
      `the event loop is late twice in a row, and over ${PRESSURE_LIMITS.requestsWhileLate} requests are open`,
      [seconds(PRESSURE_LIMITS.loopDelayMs)],
    ],
    ['old objects of the main thread, of `--max-old-space-size`', [percent(PRESSURE_LIMITS.heapShare)]],
    ["memory, of the container's limit", [percent(PRESSURE_LIMITS.memoryShare)]],
    ['open requests', [ofNetwork, all, ofNetworkWhileFull, ofPageWhileFull, most].map(count)],
  ])('are in operations.md as the server has them: %s', (what, limits) => {
    expect(numbersIn(documentedLimit(what))).toEqual(limits);
  });

  it.each([
    [
      'bodies that never end, in thousands of connections',
      [seconds(server.requestTimeout), megabytes(MAX_HELD), count(MOST_UPLOADS)],
    ],
    ['bodies in thousands of tiny parts', [`${LEAST_MEAN} bytes`, count(ANY_PARTS)]],
    ['blank lines without end between requests', [kilobytes(MOST_BETWEEN)]],
    ['to hold all open requests with uploads, responses or checks', [count(ofNetwork), count(all)]],
  ])('are in threat-model.md as the server has them, against: %s', (what, limits) => {
    const row = documentedRows('threat-model.md').find((cells) => cells[2] === what);
    expect(numbersIn(row?.[3] ?? '')).toEqual(limits);
  });
});

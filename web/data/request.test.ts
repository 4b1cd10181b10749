import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isUnreachable, request } from './request.ts';

const HTML = { 'content-type': 'text/html; charset=utf-8' };

/** Sends a request to a server that returns the responses in order. */
async function send(...responses: (Response | Error)[]) {
  const fetched = vi.fn(async () => {
    const response = responses.shift();
    if (response === undefined) throw new Error('one request too many');
    if (response instanceof Error) throw response;
    return response;
  });
  vi.stubGlobal('fetch', fetched);
  const sent = request('/graphql', {}, { signal: new AbortController().signal, timeoutMs: 1_000 });
  const outcome = await sent.catch((error: unknown) => error);
  return { outcome, count: fetched.mock.calls.length };
}

const busy = (status: number, after?: string) =>
  new Response('busy', { status, headers: after === undefined ? {} : { 'retry-after': after } });

describe('request', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.setTimerTickMode('nextTimerAsync');
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it.each([
    [429, '2', 2_000],
    [503, '0', 0],
    [503, undefined, 1_000],
    [503, 'Fri, 01 Jan 2027 00:00:03 GMT', 3_000],
  ])('repeats a %d once, after the time of Retry-After: %s', async (status, after, ms) => {
    vi.setSystemTime('2027-01-01T00:00:00Z');
    const { outcome, count } = await send(busy(status, after), busy(status), busy(status));
    expect(outcome).toMatchObject({ status });
    expect(count).toBe(2);
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse('2027-01-01T00:00:00Z') + ms);
    expect((await send(busy(status, after), new Response('ok'))).outcome).toMatchObject({ status: 200 });
  });

  it.each([
    ['an error that time does not heal', busy(500)],
    ['a wait that is too long for a visitor', busy(503, '60')],
  ])('does not repeat %s', async (_, response) => {
    expect((await send(response)).count).toBe(1);
  });

  it.each([
    ['a broken connection', new TypeError('Failed to fetch')],
    ["a portal's page", new Response('<h1>Log in</h1>', { headers: HTML })],
    ["a proxy's page", new Response('<h1>Bad gateway</h1>', { status: 502, headers: HTML })],
  ])('%s counts as unreachable', async (_, response) => {
    expect(isUnreachable((await send(response)).outcome)).toBe(true);
  });

  it("returns a host's own page for a file that it does not have", async () => {
    const response = new Response('<h1>Not found</h1>', { status: 404, headers: HTML });
    expect((await send(response)).outcome).toBe(response);
  });
});

import { afterEach, expect, it, vi } from 'vitest';
import { toPackageHoliday } from '../../domain/package-holiday.ts';
import { parsePackageSearchItem } from '../../domain/package-search-item.ts';
import { wireItem } from '../../tests/fixtures/wire-item.ts';
import { sendAlertSignup } from './send-alert-signup.ts';

const CHANNEL = { endpoint: 'https://talk.example/', channelId: 'channel-1' };
const PHONE = '447700900123';

afterEach(() => vi.unstubAllGlobals());

function someHoliday() {
  const parsed = parsePackageSearchItem(wireItem());
  if (parsed.kind === 'refused') throw new Error(parsed.reason);
  return toPackageHoliday(parsed.item, { mappedAt: '2027-01-03T00:00:00.000Z', brandCode: 'SKY' });
}

function packageIntent(further: { belowPrice?: number } = {}) {
  return { intentName: 'alertSignup', intent: { packageHoliday: someHoliday(), ...further } } as const;
}

// @proves 7.4
it('posts the whole package to /intents in the shape of Section 7', async () => {
  const send = vi.fn(async () => new Response('', { status: 200 }));
  vi.stubGlobal('fetch', send);
  expect(await sendAlertSignup(CHANNEL, PHONE, packageIntent())).toEqual({
    kind: 'accepted',
    waitsUntil: null,
  });
  const [url, request] = send.mock.calls[0] as unknown as [string, RequestInit];
  expect(url).toBe('https://talk.example/intents');
  expect(request.method).toBe('POST');
  expect(JSON.parse(request.body as string)).toEqual({
    user: { platform: 'whatsapp', channel: 'channel-1', channel_id: PHONE },
    intentName: 'alertSignup',
    intent: { packageHoliday: someHoliday() },
  });
});

it('posts the price limit with the package', async () => {
  const send = vi.fn(async () => new Response('', { status: 200 }));
  vi.stubGlobal('fetch', send);
  await sendAlertSignup(CHANNEL, PHONE, packageIntent({ belowPrice: 950 }));
  const [, request] = send.mock.calls[0] as unknown as [string, RequestInit];
  expect(JSON.parse(request.body as string).intent).toEqual({
    packageHoliday: someHoliday(),
    belowPrice: 950,
  });
});

// @proves 7.4
it.each([
  [200, { kind: 'accepted', waitsUntil: null }],
  [204, { kind: 'accepted', waitsUntil: null }],
  [400, { kind: 'failed' }],
  [422, { kind: 'refused' }],
  [429, { kind: 'failed' }],
  [503, { kind: 'failed' }],
])('maps status %i to %s, whatever the body', async (status, result) => {
  const send = async () => new Response(status === 204 ? null : '<html>', { status });
  vi.stubGlobal('fetch', send);
  expect(await sendAlertSignup(CHANNEL, PHONE, packageIntent())).toEqual(result);
});

it('fails if the service cannot be reached', async () => {
  const warned = vi.spyOn(console, 'error').mockImplementation(() => {});
  const send = async () => {
    throw new TypeError('Failed to fetch');
  };
  vi.stubGlobal('fetch', send);
  expect(await sendAlertSignup(CHANNEL, PHONE, packageIntent())).toEqual({
    kind: 'failed',
  });
  expect(JSON.stringify(warned.mock.calls)).not.toContain(PHONE);
  warned.mockRestore();
});

it('fails if the service does not respond in time', async () => {
  const silenced = vi.spyOn(console, 'error').mockImplementation(() => {});
  const limit = new AbortController();
  const limited = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
  const send: typeof fetch = (_url, request) =>
    new Promise((_resolve, reject) => {
      request?.signal?.addEventListener('abort', () => reject(new DOMException('', 'TimeoutError')));
    });
  vi.stubGlobal('fetch', send);
  const result = sendAlertSignup(CHANNEL, PHONE, packageIntent());
  limit.abort();
  expect(await result).toEqual({ kind: 'failed' });
  limited.mockRestore();
  silenced.mockRestore();
});

it('returns when a delayed message will be sent', async () => {
  const send = async () => Response.json({ status: 'ok', waitsUntil: '7am' });
  vi.stubGlobal('fetch', send);
  expect(await sendAlertSignup(CHANNEL, PHONE, packageIntent())).toEqual({
    kind: 'accepted',
    waitsUntil: '7am',
  });
});

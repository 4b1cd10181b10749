import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type {
  MessageProvider,
  OutgoingMessage,
  WebhookRequest,
} from '../../server/alerts/providers/message-provider.ts';
import {
  definitionOf,
  isSignedWebhook,
  type MessageProviderSettings,
} from '../../server/alerts/providers/providers.ts';
import { metaSettings, signed, signedBody, signedUpdate } from '../fixtures/alerts/meta-simulator.ts';
import { type ProviderStub, startProviderStub } from '../fixtures/alerts/provider-stub.ts';
import { SOMEBODY } from '../fixtures/alerts/small-alerts.ts';

const TEMPLATES = { confirm: 'C', welcome: 'W', drop: 'D' };
const PUBLIC_URL = 'https://holidays.example';

const SETTINGS = {
  meta: metaSettings,
  twilio: (baseUrl: string): MessageProviderSettings => ({
    kind: 'twilio',
    baseUrl,
    accountSid: 'AC1',
    authToken: 'auth token',
    from: '+447700900001',
    publicUrl: PUBLIC_URL,
    templates: TEMPLATES,
  }),
};

function openProvider(kind: 'meta' | 'twilio', baseUrl: string): MessageProvider {
  const settings = SETTINGS[kind](baseUrl);
  return definitionOf(settings).open(settings, TIMEOUT_MS);
}

/** The events in a provider's webhook; 'forbidden' if the provider has not signed it. */
function readWebhook(kind: 'meta' | 'twilio', request: WebhookRequest) {
  const settings = SETTINGS[kind]('http://127.0.0.1:9');
  if (!isSignedWebhook(settings, request)) return 'forbidden';
  return definitionOf(settings).webhook?.read(settings, request);
}

const ACCEPTED = {
  meta: '{"messages":[{"id":"m1"}],"contacts":[{"wa_id":"447700900123","user_id":"GB.1"}]}',
  twilio: '{"sid":"m1"}',
};

/** JSON of this many bytes. */
const longer = (json: string, bytes: number) => json.padStart(bytes);

const MESSAGE: OutgoingMessage = {
  token: 'the-token',
  to: SOMEBODY,
  contact: 1,
  contactSince: 0,
  watch: null,
  createdAt: 0,
  body: {
    template: 'drop',
    parameters: ['A hotel', '£400'],
    text: 'A hotel is £400',
    buttons: [],
    others: [],
  },
};

/** The timeout of calls, in milliseconds: long enough for a busy machine. */
const TIMEOUT_MS = 20_000;

describe.each(['meta', 'twilio'] as const)('The provider %s', (kind) => {
  let stub: ProviderStub;
  let provider: MessageProvider;
  const send = (message = MESSAGE) => provider.send(message, new AbortController().signal);
  beforeEach(async () => {
    stub = await startProviderStub();
    provider = openProvider(kind, stub.url);
  });
  afterEach(async () => {
    provider.close?.();
    await stub.close();
  });

  it('sends a template with its parameters, the number and the attempt token', async () => {
    stub.answer.body = ACCEPTED[kind];
    expect(await send()).toMatchObject({ kind: 'accepted', messageId: 'm1', isDelivered: false });
    const [request] = stub.requests;
    const body = kind === 'twilio' ? new URLSearchParams(request?.body) : new URLSearchParams();
    const json: unknown = kind === 'twilio' ? {} : JSON.parse(request?.body ?? '');
    if (kind === 'meta') {
      expect(request).toMatchObject({
        path: '/v24.0/1/messages',
        headers: { authorization: 'Bearer a token for tests only' },
      });
      expect(json).toEqual({
        messaging_product: 'whatsapp',
        recipient_type: 'individual',
        to: SOMEBODY,
        biz_opaque_callback_data: 'the-token',
        type: 'template',
        template: {
          name: 'drop',
          language: { code: 'en_GB' },
          components: [
            {
              type: 'body',
              parameters: [
                { type: 'text', text: 'A hotel' },
                { type: 'text', text: '£400' },
              ],
            },
          ],
        },
      });
    }
    if (kind === 'twilio') {
      expect(request?.path).toBe('/2010-04-01/Accounts/AC1/Messages.json');
      expect(request?.headers.authorization).toBe(
        `Basic ${Buffer.from('AC1:auth token').toString('base64')}`,
      );
      expect(Object.fromEntries(body)).toEqual({
        To: `whatsapp:+${SOMEBODY}`,
        From: 'whatsapp:+447700900001',
        StatusCallback: 'https://holidays.example/webhooks/whatsapp?attempt=the-token',
        ContentSid: 'D',
        ContentVariables: '{"1":"A hotel","2":"£400"}',
      });
    }
  });

  it('sends free text unchanged', async () => {
    await send({ ...MESSAGE, body: { ...MESSAGE.body, template: 'reply' } });
    const [request] = stub.requests;
    const text = kind === 'twilio' ? new URLSearchParams(request?.body).get('Body') : request?.body;
    expect(text).toContain('A hotel is £400');
    expect(request?.body).not.toContain('emplate');
  });

  it('sends the buttons of a message with their payloads', async () => {
    const buttons = [
      { title: 'Stop all alerts', payload: 'stop' },
      { title: 'Keep them', payload: 'keep' },
    ];
    const body = { ...MESSAGE.body, buttons };
    await send({ ...MESSAGE, body });
    await send({ ...MESSAGE, body: { ...body, template: 'reply' } });
    const [template, text] = stub.requests.map((request) => request.body);
    if (kind === 'meta') {
      const { components } = (JSON.parse(template ?? '') as { template: { components: object[] } }).template;
      expect(components.slice(1)).toEqual([
        {
          type: 'button',
          sub_type: 'quick_reply',
          index: '0',
          parameters: [{ type: 'payload', payload: 'stop' }],
        },
        {
          type: 'button',
          sub_type: 'quick_reply',
          index: '1',
          parameters: [{ type: 'payload', payload: 'keep' }],
        },
      ]);
      expect(JSON.parse(text ?? '')).toMatchObject({
        type: 'interactive',
        interactive: {
          type: 'button',
          body: { text: 'A hotel is £400' },
          action: { buttons: [{ type: 'reply', reply: { id: 'stop', title: 'Stop all alerts' } }, {}] },
        },
      });
    }
    if (kind === 'twilio') {
      const variables = JSON.parse(new URLSearchParams(template).get('ContentVariables') ?? '') as object;
      expect(variables).toEqual({ 1: 'A hotel', 2: '£400', 3: 'stop', 4: 'keep' });
      expect(new URLSearchParams(text).get('Body')).toBe('A hotel is £400');
    }
  });

  it.each([
    [500, '{}', { kind: 'rejected', code: 'http 500', retryAfterMs: null }],
    [503, 'busy', { kind: 'rejected', code: 'http 503', retryAfterMs: null }],
    [502, '', { kind: 'unknown', why: 'http 502' }],
    [504, '', { kind: 'unknown', why: 'http 504' }],
    [408, '', { kind: 'unknown', why: 'http 408' }],
    [200, 'nonsense', { kind: 'unknown', why: 'unreadable response' }],
    [200, longer(ACCEPTED.meta, 65_537), { kind: 'unknown', why: 'unreadable response' }],
    [429, '', { kind: 'rejected', code: 'http 429', retryAfterMs: null }],
    [401, '', { kind: 'rejected', code: 'http 401', retryAfterMs: null }],
    [302, '', { kind: 'rejected', code: 'http 302', retryAfterMs: null }],
  ])('maps HTTP %i %.20j to its outcome', async (status, body, outcome) => {
    stub.answer = { status, body };
    expect(await send()).toEqual(outcome);
  });

  it.each([
    ['17', 17_000],
    ['0', 0],
    ['100000', 3_600_000],
    [new Date(0).toUTCString(), 0],
    ['soon', null],
  ])('reads Retry-After: %s', async (header, retryAfterMs) => {
    stub.answer = { status: 429, body: '', headers: { 'retry-after': header } };
    expect(await send()).toEqual({ kind: 'rejected', code: 'http 429', retryAfterMs });
  });

  it('reports a message as not sent if there was no connection', async () => {
    await stub.close();
    expect(await send()).toMatchObject({ kind: 'rejected', code: 'no connection' });
    stub = await startProviderStub();
  });

  it('reports a call that was aborted before its connection as not sent', async () => {
    const controller = new AbortController();
    const pending = provider.send(MESSAGE, controller.signal);
    controller.abort();
    expect(await pending).toMatchObject({ kind: 'rejected', code: 'no connection' });
    expect(stub.requests).toEqual([]);
  });

  it('reports a call that was aborted after the request was sent as unknown', async () => {
    const controller = new AbortController();
    stub.holds = true;
    const pending = provider.send(MESSAGE, controller.signal);
    await vi.waitFor(() => expect(stub.requests).toHaveLength(1), TIMEOUT_MS);
    controller.abort();
    expect(await pending).toMatchObject({ kind: 'unknown' });
  });

  it('rejects a webhook without a signature', () => {
    const request = { headers: {}, url: '/webhooks/whatsapp', body: Buffer.from('{}') };
    expect(readWebhook(kind, request)).toBe('forbidden');
  });
});

describe('Reading the error code of a rejection', () => {
  it.each([
    ['meta', '{"error":{"code":131026}}', '131026'],
    ['twilio', '{"code":63016,"message":"x"}', '63016'],
    ['meta', '{"code":"InvalidRequest"}', 'http 400'],
  ] as const)('%s', async (kind, body, code) => {
    const stub = await startProviderStub();
    stub.answer = { status: 400, body };
    const provider = openProvider(kind, stub.url);
    const outcome = await provider.send(MESSAGE, new AbortController().signal);
    provider.close?.();
    expect(outcome).toMatchObject({ kind: 'rejected', code });
    await stub.close();
  });
});

describe('Reading webhooks', () => {
  it('Meta: messages, buttons, statuses and preferences', () => {
    const reading = readWebhook(
      'meta',
      signed({
        contacts: [{ wa_id: SOMEBODY, user_id: 'GB.1' }],
        messages: [
          { id: 'a', from: SOMEBODY, timestamp: '1700000000', type: 'text', text: { body: 'YES' } },
          { id: 'b', from: SOMEBODY, type: 'button', button: { text: 'Stop', payload: 'x' } },
          {
            id: 'i',
            from: SOMEBODY,
            type: 'interactive',
            interactive: { type: 'button_reply', button_reply: { id: 'keep', title: 'Keep them' } },
          },
          { id: 'c', from: SOMEBODY, type: 'image', image: {} },
        ],
        statuses: [
          {
            id: 'd',
            status: 'failed',
            recipient_id: SOMEBODY,
            biz_opaque_callback_data: 't',
            errors: [{ code: 131049 }],
          },
          { id: 'e', status: 'deleted', recipient_id: SOMEBODY },
        ],
        user_preferences: [
          { wa_id: SOMEBODY, value: 'stop', timestamp: 5 },
          { wa_id: SOMEBODY, value: 'resume' },
        ],
      }),
    );
    const sender = { number: SOMEBODY, userId: 'GB.1' };
    expect(reading).toEqual([
      { kind: 'message', id: 'a', sender, text: 'YES', payload: null, at: 1_700_000_000_000 },
      { kind: 'message', id: 'b', sender, text: 'Stop', payload: 'x', at: null },
      { kind: 'message', id: 'i', sender, text: 'Keep them', payload: 'keep', at: null },
      { kind: 'message', id: 'c', sender, text: '', payload: null, at: null },
      {
        kind: 'status',
        id: 'd failed',
        token: 't',
        messageId: 'd',
        status: 'failed',
        code: '131049',
        receiver: sender,
      },
      { kind: 'stop', id: `preference ${SOMEBODY} 5000`, sender, at: 5_000 },
    ]);
  });

  it('Meta: several entries, names in any field, and unreadable items next to readable ones', () => {
    const change = (value: object) => ({ field: 'messages', value });
    const stop = { id: 'a', from: SOMEBODY, type: 'text', text: { body: 'STOP' }, context: { id: 'x' } };
    const reading = readWebhook(
      'meta',
      signedUpdate({
        object: 'whatsapp_business_account',
        entry: [
          'nonsense',
          { id: '1', time: 1, changes: [{ field: 'another_update', value: { event: 'X' } }, null] },
          {
            id: '2',
            changes: [
              change({ messages: [{ from: SOMEBODY }, 7, stop, { ...stop, id: 'b', text: 'STOP' }] }),
              change({
                contacts: [{ wa_id: '447700900999' }, { wa_id: SOMEBODY, user_id: 'GB.1' }, 'nobody'],
                messages: [{ ...stop, id: 'c' }],
              }),
            ],
          },
          { id: '3', changes: [change({ messages: [{ ...stop, id: 'd', from: 'GB.2' }] })] },
          { id: '4', changes: [change({ messages: [{ ...stop, id: 'e', from: `+${SOMEBODY}` }] })] },
          { id: '5', changes: [change({ messages: [{ id: 'f', from: SOMEBODY, type: 'reaction' }] })] },
          {
            id: '6',
            changes: [
              change({ messages: [{ id: 'g', from: SOMEBODY, image: { id: '1', caption: 'stop' } }] }),
            ],
          },
        ],
      }),
    );
    const known = { number: SOMEBODY, userId: null };
    expect(reading).toEqual([
      { kind: 'message', id: 'a', sender: known, text: 'STOP', payload: null, at: null },
      { kind: 'message', id: 'b', sender: known, text: '', payload: null, at: null },
      {
        kind: 'message',
        id: 'c',
        sender: { number: SOMEBODY, userId: 'GB.1' },
        text: 'STOP',
        payload: null,
        at: null,
      },
      {
        kind: 'message',
        id: 'd',
        sender: { number: null, userId: 'GB.2' },
        text: 'STOP',
        payload: null,
        at: null,
      },
      { kind: 'message', id: 'e', sender: known, text: 'STOP', payload: null, at: null },
      { kind: 'message', id: 'g', sender: known, text: 'stop', payload: null, at: null },
    ]);
  });

  it('Meta: a signed body that is not JSON is unreadable, without an error', () => {
    const body = Buffer.from(`{"from":"${SOMEBODY}" oops`);
    expect(readWebhook('meta', signedBody(body))).toBeNull();
  });

  it('Meta: names the sender of each message by the first contact that shares a name', () => {
    const message = (id: string, from: string) => ({ id, from, type: 'text', text: { body: 'STOP' } });
    const contacts = [
      { wa_id: '447700900001', user_id: 'GB.1' },
      { wa_id: '447700900002', user_id: 'GB.2' },
      { wa_id: '447700900002', user_id: 'GB.3' },
    ];
    const messages = [message('a', '447700900002'), message('b', 'GB.3'), message('c', '447700900009')];
    const reading = readWebhook('meta', signed({ contacts, messages }));
    expect(reading).toMatchObject([
      { id: 'a', sender: { number: '447700900002', userId: 'GB.2' } },
      { id: 'b', sender: { number: '447700900002', userId: 'GB.3' } },
      { id: 'c', sender: { number: '447700900009', userId: null } },
    ]);
  });

  it('Twilio: rejects more fields than a webhook has, before it sorts them', () => {
    const sort = vi.spyOn(Array.prototype, 'toSorted');
    const headers = { 'x-twilio-signature': 'x'.repeat(28) };
    const body = Buffer.from('a&'.repeat(32_000));
    expect(readWebhook('twilio', { headers, url: '/webhooks/whatsapp', body })).toBe('forbidden');
    expect(sort).not.toHaveBeenCalled();
    sort.mockRestore();
  });

  it('Twilio: messages and statuses, with signatures over the URL and the sorted fields', () => {
    const url = '/webhooks/whatsapp?attempt=t';
    const request = (fields: Record<string, string>) => {
      const names = Object.keys(fields).toSorted();
      const text = `${PUBLIC_URL}${url}${names.map((name) => name + fields[name]).join('')}`;
      const signature = createHmac('sha1', 'auth token').update(text).digest('base64');
      const body = Buffer.from(new URLSearchParams(fields).toString());
      return { headers: { 'x-twilio-signature': signature }, url, body };
    };
    const status = {
      MessageSid: 'm',
      MessageStatus: 'undelivered',
      ErrorCode: '63016',
      To: `whatsapp:+${SOMEBODY}`,
    };
    expect(readWebhook('twilio', request(status))).toEqual([
      {
        kind: 'status',
        id: 'm failed',
        token: 't',
        messageId: 'm',
        status: 'failed',
        code: '63016',
        receiver: { number: SOMEBODY, userId: null },
      },
    ]);
    const message = { MessageSid: 'n', SmsStatus: 'received', From: `whatsapp:+${SOMEBODY}`, Body: 'STOP' };
    expect(readWebhook('twilio', request(message))).toEqual([
      {
        kind: 'message',
        id: 'n',
        sender: { number: SOMEBODY, userId: null },
        text: 'STOP',
        payload: null,
        at: null,
      },
    ]);
    const button = {
      ...message,
      MessageSid: 'p',
      Body: 'Stop all',
      ButtonText: 'Stop all',
      ButtonPayload: 'stop',
    };
    expect(readWebhook('twilio', request(button))).toMatchObject([{ text: 'Stop all', payload: 'stop' }]);
    const hidden = { MessageSid: 'o', SmsStatus: 'received', From: 'whatsapp:GB.ABC1', Body: 'STOP' };
    expect(readWebhook('twilio', request(hidden))).toMatchObject([
      { sender: { number: null, userId: 'GB.ABC1' }, text: 'STOP' },
    ]);
    expect(readWebhook('twilio', { ...request(message), url: '/webhooks/whatsapp' })).toBe('forbidden');
  });
});

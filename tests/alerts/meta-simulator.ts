import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { ProviderSetting } from '../../server/alerts/provider-setting.ts';
import { seeded } from './seeded.ts';

/** What a call to the simulator comes to. */
export type Fault = 'none' | 'fails' | 'too many' | 'hangs before' | 'hangs after' | 'resets';

/** A message that the simulator has taken and so delivers. */
export interface TakenMessage {
  token: string;
  number: string;
  id: string;
  template: string;
  parameters: string[];
}

export interface SignedRequest {
  headers: Record<string, string>;
  url: string;
  body: Uint8Array;
}

export interface MetaSimulator {
  setting: Extract<ProviderSetting, { kind: 'meta' }>;
  /** Every call that arrived, by its token, in order, and what it came to. */
  calls: { token: string; number: string; at: number; fault: Fault }[];
  taken: TakenMessage[];
  /** The statuses not handed out yet, each twice and in any order, as signed webhook requests. */
  webhooks(): SignedRequest[];
  /** A signed webhook of a message that somebody wrote. */
  inbound(message: object, contact?: object): SignedRequest;
  close(): Promise<void>;
}

const APP_SECRET = 'an app secret for tests only';

/** The shares of calls that go wrong, of a hundred. */
const FAULTS: readonly [Fault, number][] = [
  ['fails', 10],
  ['too many', 10],
  ['hangs before', 5],
  ['hangs after', 5],
  ['resets', 5],
];

/**
 * A message provider on loopback that speaks as Meta's does and goes wrong as such systems do: failing, refusing,
 * hanging before or after it took the message, and cutting the line. What it took, it delivers.
 */
export async function startMetaSimulator(options: { seed: number; faulty: boolean }): Promise<MetaSimulator> {
  const random = seeded(options.seed);
  const calls: MetaSimulator['calls'] = [];
  const taken: TakenMessage[] = [];
  const statuses: object[] = [];
  const hanging = new Set<ServerResponse>();

  function drawFault(): Fault {
    if (!options.faulty) return 'none';
    let left = random() * 100;
    for (const [fault, share] of FAULTS) {
      left -= share;
      if (left < 0) return fault;
    }
    return 'none';
  }

  function take(token: string, body: MetaBody): string {
    const id = `wamid.${taken.length}.${Buffer.from(body.to).toString('base64')}`;
    const parameters = body.template?.components[0]?.parameters.map((parameter) => parameter.text) ?? [];
    taken.push({ token, number: body.to, id, template: body.template?.name ?? 'text', parameters });
    for (const status of ['sent', 'delivered']) {
      const told = { id, status, recipient_id: body.to, biz_opaque_callback_data: token };
      statuses.push(told, told);
    }
    return id;
  }

  const server = createServer((request, response) => {
    void (async () => {
      const body = JSON.parse(await text(request)) as MetaBody;
      const token = body.biz_opaque_callback_data;
      const fault = drawFault();
      calls.push({ token, number: body.to, at: performance.now(), fault });
      if (fault === 'fails') return answer(response, 500, { error: { code: 131000 } });
      if (fault === 'too many') return answer(response, 429, { error: { code: 130429 } });
      if (fault === 'hangs before') return hanging.add(response);
      if (fault === 'resets') {
        if (random() < 0.5) take(token, body);
        return request.socket.resetAndDestroy();
      }
      const id = take(token, body);
      if (fault === 'hangs after') return hanging.add(response);
      return answer(response, 200, { messaging_product: 'whatsapp', messages: [{ id }] });
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    setting: metaSetting(`http://127.0.0.1:${port}`),
    calls,
    taken,
    webhooks() {
      const shuffled = statuses.splice(0).map((status) => ({ status, place: random() }));
      shuffled.sort((one, other) => one.place - other.place);
      return shuffled.map(({ status }) => signed({ statuses: [status] }));
    },
    inbound: (message, contact) =>
      signed({ messages: [message], ...(contact ? { contacts: [contact] } : {}) }),
    async close() {
      for (const response of hanging) response.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

interface MetaBody {
  to: string;
  biz_opaque_callback_data: string;
  template?: { name: string; components: { parameters: { text: string }[] }[] };
}

/** Settings of a Meta account that is none. */
export function metaSetting(baseUrl: string): Extract<ProviderSetting, { kind: 'meta' }> {
  return {
    kind: 'meta',
    baseUrl,
    version: 'v24.0',
    phoneNumberId: '1',
    token: 'a token for tests only',
    appSecret: APP_SECRET,
    verifyToken: 'a verify token for tests only',
    language: 'en_GB',
    templates: { confirm: 'confirm', welcome: 'welcome', drop: 'drop', reply: 'reply' },
  };
}

/** A webhook request as Meta signs it, of one change. */
export function signed(value: object): SignedRequest {
  return signedUpdate({
    object: 'whatsapp_business_account',
    entry: [{ id: '1', changes: [{ field: 'messages', value }] }],
  });
}

/** The same of any update, and of any bytes. */
export function signedUpdate(update: unknown): SignedRequest {
  return signedBody(Buffer.from(JSON.stringify(update)));
}

export function signedBody(body: Uint8Array): SignedRequest {
  const signature = createHmac('sha256', APP_SECRET).update(body).digest('hex');
  return {
    headers: { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` },
    url: '/webhooks/whatsapp',
    body,
  };
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

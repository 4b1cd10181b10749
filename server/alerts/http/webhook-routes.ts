import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ReadBody } from '../../http/request-bodies.ts';
import { requestAllowance } from '../../http/request-limit.ts';
import type { NoteRefusal } from '../../http/request-log.ts';
import { clientNetworks, isOwnAddress } from '../../lib/ip-address.ts';
import type { AlertService } from '../alert-service.ts';
import type { MessageProviderSettings } from '../providers/message-provider-settings.ts';
import { answerChallenge } from '../providers/webhook-challenge.ts';
import { WEBHOOKS } from '../providers/webhook-limits.ts';
import { isSignedWebhook } from '../providers/webhook-signature.ts';
import { alertsUnavailable } from './alerts-unavailable.ts';

const ADDRESS = '/webhooks/whatsapp';

/** Webhooks with a wrong signature or verify token that one address may send per minute. The provider's are not counted. */
const FORGED_PER_MINUTE = 60;

/**
 * Webhooks that are read or processed at once, of one address and of all: whoever has many addresses shuts out other
 * webhooks, which the provider repeats, and nobody else.
 */
const MOST_AT_ONCE = 16;
const MOST_OF_ALL = 512;

/**
 * A webhook of more bytes than this is large. Only a few large ones are read or processed at once: Node reads up to 2 MB
 * of each connection in one pass of the event loop, so hundreds of them would hold it for seconds and take gigabytes.
 * Providers send a few kilobytes, and repeat what is refused.
 */
const SMALL_BYTES = 64 * 1024;
const MOST_LARGE_AT_ONCE = 2;
const MOST_LARGE_OF_ALL = 8;

/**
 * A large webhook that was not processed keeps its place for at least this many milliseconds: forgers would use it
 * again at once.
 */
const LARGE_PLACE_MS = 800;

/** Milliseconds within which a webhook must arrive. Providers send a few kilobytes at once. */
const UPLOAD_TIMEOUT = 5_000;

const FORBIDDEN = { status: 401, answer: { error: 'The signature is invalid.' } };

const ANSWERS = {
  processed: { status: 200, answer: { status: 'ok' } },
  forbidden: FORBIDDEN,
  unreadable: {
    status: 400,
    answer: { error: 'The signature is valid, but the body is not an update.' },
  },
};

/** The provider's webhook. What cannot come from a provider is refused before its body is read. */
export async function addWebhookRoutes(
  app: FastifyInstance,
  alerts: AlertService,
  options: { provider: MessageProviderSettings; noteRefusal: NoteRefusal; readBody: ReadBody },
): Promise<void> {
  const limits = WEBHOOKS[options.provider.kind];
  if (limits === null) return addMissingWebhook(app);
  const { signatureHeader, mostBytes } = limits;
  const forged = requestAllowance(FORGED_PER_MINUTE, () => performance.now());
  const places = {
    any: webhookPlaces(MOST_AT_ONCE, MOST_OF_ALL),
    large: webhookPlaces(MOST_LARGE_AT_ONCE, MOST_LARGE_OF_ALL),
  };
  const isCounted = ({ ip }: FastifyRequest) => !isOwnAddress(ip);
  function refuseForger(request: FastifyRequest, reply: FastifyReply): boolean {
    const seconds = isCounted(request) ? forged.wait(request.ip) : 0;
    if (seconds === 0) return false;
    void reply
      .code(429)
      .headers({ 'retry-after': String(seconds), connection: 'close' })
      .send({ error: 'Too many invalid webhooks came from this address.' });
    return true;
  }

  function resultOf({
    headers,
    url,
    body,
  }: FastifyRequest): Promise<keyof typeof ANSWERS> | keyof typeof ANSWERS {
    const sent = { headers, url, body: body instanceof Uint8Array ? body : new Uint8Array() };
    // Before it waits for the alerts' thread, where forged ones would stand before those of the provider.
    const isForged = sent.body.length <= SMALL_BYTES && !isSignedWebhook(options.provider, sent);
    return isForged ? 'forbidden' : alerts.processWebhook(sent);
  }

  // Signatures are over the raw bytes, so the webhook's bodies are not parsed here.
  await app.register(async (webhook) => {
    webhook.removeAllContentTypeParsers();
    webhook.addContentTypeParser('*', options.readBody);
    webhook.get(ADDRESS, async (request, reply) => {
      if (refuseForger(request, reply)) return reply;
      const answer = answerChallenge(options.provider, request.query as Record<string, unknown>);
      if (answer !== null) return reply.type('text/plain; charset=utf-8').send(answer);
      if (isCounted(request)) forged.take(request.ip);
      return reply.code(403).send({ error: 'The verify token is wrong.' });
    });
    webhook.route({
      method: 'POST',
      url: ADDRESS,
      bodyLimit: mostBytes,
      async onRequest(request, reply) {
        if (refuseForger(request, reply)) return reply;
        if (request.headers[signatureHeader] === undefined) {
          return reply.code(401).header('connection', 'close').send(FORBIDDEN.answer);
        }
        if (begin(places, request, reply)) return;
        return reply
          .code(503)
          .headers({ 'retry-after': '5', connection: 'close' })
          .send({ error: 'Too many webhooks of this address are in progress: please send it again.' });
      },
      async handler(request, reply) {
        try {
          const result = await resultOf(request);
          // A refusal may be held back, and would hold the body.
          request.body = undefined;
          if (result === 'forbidden') {
            // Others wait for its place.
            leave.get(request.raw)?.();
            if (isCounted(request)) forged.take(request.ip);
          }
          if (result === 'processed') processed.add(request.raw);
          const { status, answer } = ANSWERS[result];
          return await reply.code(status).send(answer);
        } catch (error) {
          // The provider sends it again.
          options.noteRefusal(request, error);
          return alertsUnavailable(reply, error);
        }
      },
    });
  });
}

/** Frees the place of a webhook that is being read or processed. */
const leave = new WeakMap<IncomingMessage, () => void>();

/** Webhooks that were processed: the provider has sent them. */
const processed = new WeakSet<IncomingMessage>();

/**
 * Takes the places of a webhook until its response is complete, and ends its upload in time. False: its network or all
 * have the most already.
 */
function begin(
  places: Readonly<Record<'any' | 'large', WebhookPlaces>>,
  { ip, raw }: FastifyRequest,
  reply: FastifyReply,
): boolean {
  const startedAt = performance.now();
  const free = places.any(ip);
  if (free === null) return false;
  const freeLarge = isLarge(raw) ? places.large(ip) : () => {};
  if (freeLarge === null) {
    free();
    return false;
  }
  leave.set(raw, free);
  const timeout = setTimeout(() => {
    if (!raw.complete) raw.socket.destroy();
  }, UPLOAD_TIMEOUT);
  reply.raw.once('close', () => {
    clearTimeout(timeout);
    free();
    const left = startedAt + LARGE_PLACE_MS - performance.now();
    if (processed.has(raw) || left <= 0) freeLarge();
    else setTimeout(freeLarge, left).unref();
  });
  return true;
}

/** Whether a webhook is large, or may be: its length is not announced. */
function isLarge({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > SMALL_BYTES;
}

/** Takes a place of an address's networks. Returns the function that frees it; null: they or all have the most already. */
type WebhookPlaces = (address: string) => (() => void) | null;

function webhookPlaces(mostAtOnce: number, mostOfAll: number): WebhookPlaces {
  const counts = new Map<string, number>();
  let all = 0;
  return (address) => {
    const networks = clientNetworks(address);
    const isFull = networks.some(
      ({ network, clients }) => (counts.get(network) ?? 0) >= mostAtOnce * clients,
    );
    if (isFull || all >= mostOfAll) return null;
    const add = (change: number) => {
      all += change;
      for (const { network } of networks) {
        const now = (counts.get(network) ?? 0) + change;
        if (now === 0) counts.delete(network);
        else counts.set(network, now);
      }
    };
    add(1);
    let isTaken = true;
    return () => {
      if (isTaken) add(-1);
      isTaken = false;
    };
  };
}

/** Without a provider, nobody has a reason to call. */
function addMissingWebhook(app: FastifyInstance): void {
  app.route({
    method: ['GET', 'POST'],
    url: ADDRESS,
    async onRequest(_request, reply) {
      return reply.code(404).header('connection', 'close').send({ error: 'There is nothing here.' });
    },
    handler: async () => {},
  });
}

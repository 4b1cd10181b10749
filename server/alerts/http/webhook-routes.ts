import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ReadBody } from '../../http/request-bodies.ts';
import { requestAllowance } from '../../http/request-limit.ts';
import type { NoteRefusal } from '../../http/request-log.ts';
import { clientNetworks, isLoopback } from '../../lib/ip-address.ts';
import type { AlertService } from '../alert-service.ts';
import type { MessageProviderKind } from '../providers/message-provider-settings.ts';
import { WEBHOOKS } from '../providers/webhook-limits.ts';
import { alertsUnavailable } from './alerts-unavailable.ts';

const ADDRESS = '/webhooks/whatsapp';

/** Webhooks with a wrong signature that one address may send per minute. Those of the provider are never counted. */
const FORGED_PER_MINUTE = 60;

/** Webhooks that are read or processed at once, of one address. Others are refused unread. */
const MOST_AT_ONCE = 16;

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
  options: { provider: MessageProviderKind; noteRefusal: NoteRefusal; readBody: ReadBody },
): Promise<void> {
  const limits = WEBHOOKS[options.provider];
  if (limits === null) return addMissingWebhook(app);
  const { signatureHeader, mostBytes } = limits;
  const forged = requestAllowance(FORGED_PER_MINUTE, () => performance.now());
  const begin = inProgress(MOST_AT_ONCE);
  const isCounted = ({ ip }: FastifyRequest) => !isLoopback(ip);

  // Signatures are over the raw bytes, so the webhook's bodies are not parsed here.
  await app.register(async (webhook) => {
    webhook.removeAllContentTypeParsers();
    webhook.addContentTypeParser('*', options.readBody);
    webhook.get(ADDRESS, async (request, reply) => {
      const answer = await alerts.answerChallenge(request.query as Record<string, unknown>);
      if (answer === null) return reply.code(403).send({ error: 'The verify token is wrong.' });
      return reply.type('text/plain; charset=utf-8').send(answer);
    });
    webhook.route({
      method: 'POST',
      url: ADDRESS,
      bodyLimit: mostBytes,
      async onRequest(request, reply) {
        const seconds = isCounted(request) ? forged.wait(request.ip) : 0;
        if (seconds > 0) {
          return reply
            .code(429)
            .headers({ 'retry-after': String(seconds), connection: 'close' })
            .send({ error: 'Too many webhooks with an invalid signature came from this address.' });
        }
        if (request.headers[signatureHeader] === undefined) {
          return reply.code(401).header('connection', 'close').send(FORBIDDEN.answer);
        }
        if (begin(request, reply)) return;
        return reply
          .code(503)
          .headers({ 'retry-after': '5', connection: 'close' })
          .send({ error: 'Too many webhooks of this address are in progress: please send it again.' });
      },
      async handler(request, reply) {
        try {
          const body = request.body instanceof Uint8Array ? request.body : new Uint8Array();
          const result = await alerts.processWebhook({ headers: request.headers, url: request.url, body });
          if (result === 'forbidden' && isCounted(request)) forged.take(request.ip);
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

/** Counts requests by address until their responses are complete. False: the address has `most` already. */
function inProgress(most: number): (request: FastifyRequest, reply: FastifyReply) => boolean {
  const counts = new Map<string, number>();
  return ({ ip }, reply) => {
    const network = clientNetworks(ip)[0]?.network ?? ip;
    const count = counts.get(network) ?? 0;
    if (count >= most) return false;
    counts.set(network, count + 1);
    reply.raw.once('close', () => {
      const left = (counts.get(network) ?? 1) - 1;
      if (left === 0) counts.delete(network);
      else counts.set(network, left);
    });
    return true;
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

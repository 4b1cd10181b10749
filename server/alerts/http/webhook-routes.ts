import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { acceptAnyBody } from '../../http/request-bodies.ts';
import { requestAllowance } from '../../http/request-limit.ts';
import { isOwnAddress } from '../../lib/ip-address.ts';
import type { AlertService } from '../alert-service.ts';
import { definitionOf, isSignedWebhook, type MessageProviderSettings } from '../providers/providers.ts';

const ADDRESS = '/webhooks/whatsapp';

/** Requests with a wrong signature or verify token, per client. Valid webhooks are not limited. */
const MAX_FORGED_PER_MINUTE = 60;

const FORBIDDEN = { error: 'The signature is invalid.' };
const UNREADABLE = { error: 'The signature is valid, but the body is not an update.' };

/** The provider's webhook. Rejects requests without a signature before reading the body. */
export async function webhookRoutes(
  app: FastifyInstance,
  { alerts, provider }: { alerts: AlertService; provider: MessageProviderSettings },
): Promise<void> {
  const definition = definitionOf(provider).webhook;
  if (definition === null) return;
  const { signatureHeader, maxBytes, answer } = definition;
  const forged = requestAllowance(MAX_FORGED_PER_MINUTE, () => performance.now());
  const isCounted = ({ ip }: FastifyRequest) => !isOwnAddress(ip);

  function countForged(request: FastifyRequest): void {
    if (isCounted(request)) forged.take(request.ip);
  }
  function rejectForger(request: FastifyRequest, reply: FastifyReply): boolean {
    const seconds = isCounted(request) ? forged.wait(request.ip) : 0;
    if (seconds === 0) return false;
    void reply
      .code(429)
      .headers({ 'retry-after': String(seconds), connection: 'close' })
      .send({ error: 'Too many invalid webhooks came from this address.' });
    return true;
  }

  // The signature covers the raw bytes, so this route does not parse bodies.
  acceptAnyBody(app);
  app.get(ADDRESS, { config: { limit: 'none' } }, async (request, reply) => {
    if (rejectForger(request, reply)) return reply;
    const challenge = definition.challenge?.(provider, request.query as Record<string, unknown>) ?? null;
    if (challenge !== null) return reply.type('text/plain; charset=utf-8').send(challenge);
    countForged(request);
    return reply.code(403).send({ error: 'The verify token is wrong.' });
  });
  app.route({
    method: 'POST',
    url: ADDRESS,
    bodyLimit: maxBytes,
    config: { limit: 'none' },
    async onRequest(request, reply) {
      if (rejectForger(request, reply)) return reply;
      if (request.headers[signatureHeader] === undefined)
        return reply.code(401).header('connection', 'close').send(FORBIDDEN);
    },
    async handler(request, reply) {
      const { headers, url } = request;
      const body = request.body instanceof Uint8Array ? request.body : new Uint8Array();
      const sent = { headers, url, body };
      if (!isSignedWebhook(provider, sent)) {
        countForged(request);
        return reply.code(401).send(FORBIDDEN);
      }
      // If this throws, the provider sends the webhook again.
      const result = await alerts.processWebhook(sent);
      return result === 'processed'
        ? reply.type(answer.type).send(answer.body)
        : reply.code(400).send(UNREADABLE);
    },
  });
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ALERT_FAILED_MESSAGE } from '../../../domain/alert-signup.ts';
import { INVALID_PHONE_MESSAGE } from '../../../domain/uk-phone.ts';
import type { NoteRefusal } from '../../http/request-log.ts';
import { isStoreUnavailable, STORE_UNAVAILABLE } from '../../lib/store-unavailable.ts';
import type { AlertService } from '../alert-service.ts';
import type { SignUpResult } from '../sign-up/sign-up.ts';

/** In bytes. A provider may send a thousand events at once. */
const LARGEST_WEBHOOK = 4 * 1024 * 1024;

const SIGN_UP_ANSWERS: Readonly<Record<SignUpResult['kind'], { status: number; body: object }>> = {
  ok: { status: 200, body: { status: 'ok' } },
  'not a sign-up': { status: 400, body: { message: ALERT_FAILED_MESSAGE } },
  'unknown package': { status: 404, body: { message: ALERT_FAILED_MESSAGE } },
  'invalid phone': { status: 422, body: { message: INVALID_PHONE_MESSAGE } },
  'not offered': { status: 503, body: { message: ALERT_FAILED_MESSAGE } },
  'too many': { status: 429, body: { message: ALERT_FAILED_MESSAGE } },
};

const WEBHOOK_ANSWERS = {
  processed: { status: 200, answer: { status: 'ok' } },
  forbidden: { status: 401, answer: { error: 'The signature is invalid.' } },
  unreadable: {
    status: 400,
    answer: { error: 'The signature is valid, but the body is not an update.' },
  },
};

/** `POST /intents` (Section 7; docs/contracts/intents.md) and the provider's webhook. */
export async function addAlertRoutes(
  app: FastifyInstance,
  alerts: AlertService,
  noteRefusal: NoteRefusal,
): Promise<void> {
  app.post('/intents', async (request, reply) => {
    try {
      const { kind } = await alerts.signUp({ body: request.body, address: request.ip });
      const { status, body } = SIGN_UP_ANSWERS[kind];
      return await reply.code(status).header('cache-control', 'no-store').send(body);
    } catch (error) {
      return unavailable(request, reply, error);
    }
  });

  // Signatures are over the raw bytes, so the webhook's bodies are not parsed here.
  await app.register(async (webhook) => {
    webhook.removeAllContentTypeParsers();
    webhook.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: LARGEST_WEBHOOK },
      (_request, body, done) => {
        done(null, body);
      },
    );
    webhook.get('/webhooks/whatsapp', async (request, reply) => {
      const answer = await alerts.answerChallenge(request.query as Record<string, unknown>);
      if (answer === null) return reply.code(403).send({ error: 'The verify token is wrong.' });
      return reply.type('text/plain; charset=utf-8').send(answer);
    });
    webhook.post('/webhooks/whatsapp', async (request, reply) => {
      try {
        const body = request.body instanceof Uint8Array ? request.body : new Uint8Array();
        const result = await alerts.processWebhook({ headers: request.headers, url: request.url, body });
        const { status, answer } = WEBHOOK_ANSWERS[result];
        return await reply.code(status).send(answer);
      } catch (error) {
        // The provider sends it again.
        return unavailable(request, reply, error);
      }
    });
  });

  function unavailable(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
    noteRefusal(request, error);
    const why = isStoreUnavailable(error) ? { error: STORE_UNAVAILABLE } : {};
    return reply
      .code(503)
      .header('retry-after', '5')
      .send({ message: ALERT_FAILED_MESSAGE, ...why });
  }
}

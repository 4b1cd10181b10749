import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import {
  ALERT_FAILED_MESSAGE,
  alertSignup,
  channelSignup,
  searchSignup,
  subscriptionMove,
} from '../../../domain/alert-signup.ts';
import { INVALID_EMAIL_MESSAGE } from '../../../domain/email-address.ts';
import { INVALID_PHONE_MESSAGE } from '../../../domain/uk-phone.ts';
import type { AlertService } from '../alert-service.ts';
import type { SignUpResult } from '../sign-up/sign-up.ts';

type Outcome = SignUpResult['kind'];

/** The HTTP status for each outcome, and further fields of the response's body. */
const ANSWERS: Readonly<Record<Exclude<Outcome, 'ok'>, readonly [status: number, body?: object]>> = {
  'not a sign-up': [400],
  'unknown package': [404],
  'invalid phone': [422, { message: INVALID_PHONE_MESSAGE }],
  'invalid email': [422, { message: INVALID_EMAIL_MESSAGE }],
  'invalid subscription': [
    422,
    {
      error:
        'The endpoint does not belong to a known push service, or its keys are invalid. Add other services to PUSH_SERVICES.',
    },
  ],
  'not offered': [503, { error: 'Alerts are not offered on this channel.' }],
  'too many': [429],
};

/** `Retry-After`, in seconds. The same for every limit, so that it does not reveal which one applied. */
const RETRY_AFTER: Partial<Record<Outcome, number>> = { 'not offered': 3_600, 'too many': 3_600 };

const SIGNUP = v.union([alertSignup, channelSignup, searchSignup]);

const MOVED = { moved: 200, unknown: 404, 'invalid subscription': 422 } as const;

/** `POST /intents` (section 7; docs/contracts/intents.md). Only the parsed sign-up reaches the alerts' thread. */
export function addIntentsRoute(
  app: FastifyInstance,
  { signUp, moveSubscription }: Pick<AlertService, 'signUp' | 'moveSubscription'>,
): void {
  app.post('/intents/subscription', { config: { isOpen: true, limit: 'store' } }, async (request, reply) => {
    const parsed = v.safeParse(subscriptionMove, request.body, { abortEarly: true });
    reply.header('cache-control', 'no-store');
    if (!parsed.success)
      return reply.code(400).send({ error: 'The request needs `from` and a push `user`.' });
    const { kind } = await moveSubscription({ body: parsed.output, address: request.ip });
    return reply.code(MOVED[kind]).send({ status: kind });
  });
  app.post('/intents', { config: { isOpen: true, limit: 'store' } }, async (request, reply) => {
    const parsed = v.safeParse(SIGNUP, request.body, { abortEarly: true });
    reply.header('cache-control', 'no-store');
    const result: SignUpResult = parsed.success
      ? await signUp({ body: parsed.output, address: request.ip })
      : { kind: 'not a sign-up' };
    if (result.kind === 'ok') {
      const { waitsUntil } = result;
      return reply.send(waitsUntil === null ? { status: 'ok' } : { status: 'ok', waitsUntil });
    }
    const [status, body] = ANSWERS[result.kind];
    const retryAfter = RETRY_AFTER[result.kind];
    if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter));
    return reply.code(status).send({ message: ALERT_FAILED_MESSAGE, ...body });
  });
}

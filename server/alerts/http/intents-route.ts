import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { ALERT_FAILED_MESSAGE, alertSignup, channelSignup } from '../../../domain/alert-signup.ts';
import { INVALID_EMAIL_MESSAGE } from '../../../domain/email-address.ts';
import { INVALID_PHONE_MESSAGE } from '../../../domain/uk-phone.ts';
import type { AlertService } from '../alert-service.ts';
import type { SignUpResult } from '../sign-up/sign-up.ts';

type Outcome = SignUpResult['kind'] | 'not a sign-up';

const ANSWERS: Readonly<Record<Exclude<Outcome, 'ok'>, { status: number; body: object }>> = {
  'not a sign-up': { status: 400, body: { message: ALERT_FAILED_MESSAGE } },
  'unknown package': { status: 404, body: { message: ALERT_FAILED_MESSAGE } },
  'invalid phone': { status: 422, body: { message: INVALID_PHONE_MESSAGE } },
  'invalid email': { status: 422, body: { message: INVALID_EMAIL_MESSAGE } },
  'invalid subscription': {
    status: 422,
    body: {
      message: ALERT_FAILED_MESSAGE,
      error:
        'The endpoint is not one of a known push service, or its keys are not those of a PushSubscription. PUSH_SERVICES lists further services.',
    },
  },
  'not offered': {
    status: 503,
    body: { message: ALERT_FAILED_MESSAGE, error: 'Alerts are not offered on this channel.' },
  },
  'too many': { status: 429, body: { message: ALERT_FAILED_MESSAGE } },
};

/**
 * Seconds, for `Retry-After`. Only the operator can change what is offered, so that trying again soon is of no use. An
 * address has a limit for each hour; that of a contact lasts longer, and which of them it was is not told.
 */
const RETRY_AFTER: Partial<Record<Outcome, number>> = { 'not offered': 3_600, 'too many': 3_600 };

const SIGNUP = v.union([alertSignup, channelSignup]);

/**
 * `POST /intents` (Section 7; docs/contracts/intents.md). The body is parsed here: a body that is not a sign-up never
 * reaches the alerts' thread, and of a sign-up only the parts that are read, not the whole package.
 */
export function addIntentsRoute(app: FastifyInstance, signUp: AlertService['signUp']): void {
  app.post('/intents', async (request, reply) => {
    const parsed = v.safeParse(SIGNUP, request.body, { abortEarly: true });
    reply.header('cache-control', 'no-store');
    const result: SignUpResult | { kind: 'not a sign-up' } = parsed.success
      ? await signUp({ body: parsed.output, address: request.ip })
      : { kind: 'not a sign-up' };
    if (result.kind === 'ok') {
      const { waitsUntil } = result;
      return reply.send(waitsUntil === null ? { status: 'ok' } : { status: 'ok', waitsUntil });
    }
    const { status, body } = ANSWERS[result.kind];
    const retryAfter = RETRY_AFTER[result.kind];
    if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter));
    return reply.code(status).send(body);
  });
}

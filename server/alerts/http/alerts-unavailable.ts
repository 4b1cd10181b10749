import type { FastifyReply } from 'fastify';
import { ALERT_FAILED_MESSAGE } from '../../../domain/alert-signup.ts';
import type { ErrorCode } from '../../lib/error-codes.ts';
import { overloadIn } from '../../lib/overloaded.ts';
import { isStoreUnavailable, STORE_UNAVAILABLE } from '../../lib/store-unavailable.ts';

/** The response if the alerts cannot record something. The sender tries again. */
export function alertsUnavailable(reply: FastifyReply, error: unknown): FastifyReply {
  const why: { error?: string; code: ErrorCode } = isStoreUnavailable(error)
    ? { error: STORE_UNAVAILABLE, code: 'STORE_UNAVAILABLE' }
    : { code: overloadIn(error) === null ? 'UNAVAILABLE' : 'OVERLOADED' };
  return reply
    .code(503)
    .headers({ 'retry-after': '5', 'cache-control': 'no-store' })
    .send({ message: ALERT_FAILED_MESSAGE, ...why });
}

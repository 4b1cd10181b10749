import * as v from 'valibot';
import type { LookUp, LookUpResult } from './message-provider.ts';
import type { CallResult } from './provider-call.ts';

/** How far Twilio's clock, in whole seconds, may be from ours. */
const SLACK_MS = 30_000;

const list = v.object({
  messages: v.array(
    v.object({
      sid: v.string(),
      status: v.string(),
      direction: v.optional(v.string(), 'outbound-api'),
      date_created: v.string(),
      error_code: v.nullish(v.union([v.number(), v.string()]), null),
    }),
  ),
});

const STATUSES: Readonly<Record<string, 'sent' | 'delivered' | 'read' | 'failed'>> = {
  delivered: 'delivered',
  read: 'read',
  failed: 'failed',
  undelivered: 'failed',
  canceled: 'failed',
};

/**
 * Finds a message in Twilio's list of the messages to its number. The list has no token of ours, so the message is the
 * only one that was created while its call lasted and that belongs to no other attempt.
 */
export function twilioLookUp(
  result: CallResult,
  { startedAt, endedAt, hasTwin, isTaken }: LookUp,
): LookUpResult {
  if (result.kind !== 'response' || result.status !== 200)
    return { kind: 'unknown', why: result.kind === 'response' ? `http ${result.status}` : 'no answer' };
  const read = v.safeParse(list, result.body);
  if (!read.success) return { kind: 'unknown', why: 'unreadable response' };
  const [found, ...others] = read.output.messages.filter(({ sid, direction, date_created }) => {
    const at = Date.parse(date_created);
    const isOurs = direction.startsWith('outbound') && !isTaken(sid);
    return isOurs && at >= startedAt - SLACK_MS && at <= endedAt + SLACK_MS;
  });
  if (found === undefined) return { kind: 'not found' };
  if (others.length > 0 || hasTwin) return { kind: 'unknown', why: 'several messages fit' };
  return {
    kind: 'found',
    messageId: found.sid,
    status: STATUSES[found.status] ?? 'sent',
    code: found.error_code === null ? null : String(found.error_code),
  };
}

import type { MessageProvider, ProviderEvent } from '../providers/message-provider.ts';
import type { AlertStore } from '../tables/alert-store.ts';
import { recordConfirmationSent } from '../tables/confirmation-requests.ts';
import { attemptFailed } from './attempt-failed.ts';
import { recordReceiver, setAttemptState } from './attempt-state.ts';
import { reapplyWatermarks } from './watermarks.ts';

type Status = Extract<ProviderEvent, { kind: 'status' }>;

/** States in order of progress. Statuses arrive in any order, and an attempt only moves forward. */
const PROGRESS = ['rejected', 'begun', 'unknown', 'accepted', 'failed', 'delivered', 'read'];

/**
 * Applies a delivery status to its attempt, inside the caller's transaction. A late status of an older attempt does not
 * change a newer one. A status of an unknown attempt is ignored.
 */
export function applyDeliveryStatus(
  store: AlertStore,
  provider: Pick<MessageProvider, 'errorAction'>,
  status: Status,
  now: number,
): void {
  const { sql, keys } = store;
  const key = keys.keyFor('message', status.messageId);
  const found =
    sql.get`select id, state from alert_attempt where token = ${status.token}` ??
    sql.get`select id, state from alert_attempt where message_key = ${key}`;
  if (found === undefined) return;
  const attempt = Number(found.id);
  sql.run`update alert_attempt set message_key = ${key}
    where id = ${attempt} and message_key is null
      and not exists (select 1 from alert_attempt where message_key = ${key})`;
  if (status.receiver.userId !== null) recordReceiver(store, attempt, status.receiver.userId, now);
  const reached = status.status === 'sent' ? 'accepted' : status.status;
  if (PROGRESS.indexOf(reached) <= PROGRESS.indexOf(String(found.state))) return;
  if (reached === 'failed') {
    const failure = { state: reached, code: status.code ?? 'no code', retryAfterMs: null };
    attemptFailed(store, provider, attempt, failure, now);
  } else if (reached === 'accepted' && found.state !== 'rejected') {
    setAttemptState(store, attempt, reached, null, now);
  } else {
    attemptArrived(store, attempt, reached, now);
  }
}

/**
 * The message has gone out, even if a failure was reported before. If that failure requeued it, it leaves the queue and
 * its watermarks advance again, so nobody gets it twice.
 */
function attemptArrived(
  store: AlertStore,
  attempt: number,
  state: 'accepted' | 'delivered' | 'read',
  now: number,
): void {
  const { sql } = store;
  const failed = sql.get`select watch, told from alert_message
    where id = (select message from alert_attempt where id = ${attempt}) and attempt = ${attempt}
      and state in ('queued', 'failed', 'dropped')`;
  if (typeof failed?.told === 'string') reapplyWatermarks(store, Number(failed.watch), failed.told);
  sql.run`update alert_attempt set state = ${state} where id = ${attempt}`;
  recordConfirmationSent(store, attempt, now);
  sql.run`update alert_message set state = ${state}, reason = null, settled_at = ${now}
    where id = (select message from alert_attempt where id = ${attempt}) and (attempt = ${attempt} or state = 'queued')`;
}

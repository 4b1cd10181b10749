import type { MessageProvider, ProviderEvent } from '../providers/message-provider.ts';
import type { AlertStore } from '../records/alert-store.ts';
import { attemptFailed } from './attempt-failed.ts';
import { attemptArrived, rememberReceiver, setState } from './settle-attempt.ts';

type Status = Extract<ProviderEvent, { kind: 'status' }>;

/** How far a message has come: statuses arrive in any order, and none takes a message back. */
const PROGRESS = ['rejected', 'begun', 'unknown', 'accepted', 'failed', 'delivered', 'read'];

/**
 * Takes a delivery status in, inside the caller's transaction. It is its attempt's alone: what an older attempt
 * hears late changes no newer one. A status of no attempt of ours is left aside.
 */
export function takeStatus(
  store: AlertStore,
  provider: MessageProvider['name'],
  status: Status,
  now: number,
): void {
  const { sql, keys } = store;
  const key = keys.hash('message', status.messageId);
  const found =
    sql.get`select id, state from alert_attempt where token = ${status.token}` ??
    sql.get`select id, state from alert_attempt where message_key = ${key}`;
  if (found === undefined) return;
  const attempt = Number(found.id);
  sql.run`update alert_attempt set message_key = ${key}
    where id = ${attempt} and message_key is null
      and not exists (select 1 from alert_attempt where message_key = ${key})`;
  if (status.receiver.userId !== null) rememberReceiver(store, attempt, status.receiver.userId, now);
  const reached = status.status === 'sent' ? 'accepted' : status.status;
  if (PROGRESS.indexOf(reached) <= PROGRESS.indexOf(String(found.state))) return;
  if (reached === 'failed') {
    const failure = { state: reached, code: status.code ?? 'no code', retryAfterMs: null };
    attemptFailed(store, provider, attempt, failure, now);
  } else if (reached === 'accepted') {
    setState(store, attempt, reached, null, now);
  } else {
    attemptArrived(store, attempt, reached, now);
  }
}

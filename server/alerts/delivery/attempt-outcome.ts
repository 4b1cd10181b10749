import { isOutage } from '../providers/error-action.ts';
import type { MessageProvider, ProviderEvent, SendOutcome } from '../providers/message-provider.ts';
import type { AlertStore } from '../tables/alert-store.ts';
import { recordConfirmationSent } from '../tables/confirmation-requests.ts';
import { contactById, recordUserId } from '../tables/contacts.ts';
import { stopContact } from '../tables/stops.ts';
import { attemptFailed } from './attempt-failed.ts';
import { closeCircuit, recordAnswer, recordUnanswered } from './circuit.ts';
import { retryPause } from './retry-pauses.ts';
import { releaseTemplate } from './template-holds.ts';
import { reapplyWatermarks } from './watermarks.ts';

/** States in order of progress. Statuses may arrive out of order, and an attempt only moves forward. */
const PROGRESS = ['rejected', 'begun', 'unknown', 'accepted', 'failed', 'delivered', 'read'];

/** Records the outcome of a call. If a webhook has already settled the attempt, its state stays. */
export function settleAttempt(
  store: AlertStore,
  provider: Pick<MessageProvider, 'channel' | 'errorAction'>,
  attempt: number,
  outcome: SendOutcome,
  now: number,
): void {
  const { channel } = provider;
  store.transact(() => {
    const open = store.sql.get`select contact from alert_attempt
      where id = ${attempt} and state in ('begun', 'unknown')`;
    const isSilent = outcome.kind === 'unknown' || (outcome.kind === 'rejected' && isOutage(outcome.code));
    if (!isSilent) recordAnswer(store, channel);
    if (outcome.kind === 'accepted') {
      closeCircuit(store, channel, now);
      releaseTemplateOf(store, attempt, now);
      if (outcome.messageId !== null) recordMessageId(store, attempt, outcome.messageId);
      if (outcome.userId !== null) recordReceiver(store, attempt, outcome.userId, now);
    }
    if (open === undefined) return;
    switch (outcome.kind) {
      case 'accepted':
        setState(store, attempt, outcome.isDelivered ? 'delivered' : 'accepted', null, now);
        break;
      case 'unknown':
        setState(store, attempt, 'unknown', outcome.why, now);
        recordUnanswered(store, channel, attempt, outcome.why, now);
        break;
      case 'rejected':
        if (isSilent) recordUnanswered(store, channel, attempt, outcome.code, now);
        attemptFailed(store, provider, attempt, { state: 'rejected', ...outcome }, now);
    }
  });
}

/** Marks attempts with expired leases as unknown: their messages may have been sent. */
export function expireLeases(store: AlertStore, now: number): void {
  const expired = store.sql.all`select id from alert_attempt where state = 'begun' and lease_until <= ${now}`;
  if (expired.length === 0) return;
  store.transact(() => {
    for (const { id } of expired) setState(store, Number(id), 'unknown', 'lease expired', now);
  });
}

/**
 * Applies a delivery status to its attempt, inside the caller's transaction. A late status of an older
 * attempt does not change a newer one. Ignores statuses that match no attempt.
 */
export function applyDeliveryStatus(
  store: AlertStore,
  provider: Pick<MessageProvider, 'errorAction'>,
  status: Omit<Extract<ProviderEvent, { kind: 'status' }>, 'kind' | 'id'>,
  now: number,
): void {
  const { sql, keys } = store;
  const key = keys.keyFor('message', status.messageId);
  const found =
    sql.get`select id, state from alert_attempt where token = ${status.token}` ??
    sql.get`select id, state from alert_attempt where message_key = ${key}`;
  if (found === undefined) return;
  const attempt = Number(found.id);
  recordMessageId(store, attempt, status.messageId);
  if (status.receiver.userId !== null) recordReceiver(store, attempt, status.receiver.userId, now);
  const reached = status.status === 'sent' ? 'accepted' : status.status;
  if (PROGRESS.indexOf(reached) <= PROGRESS.indexOf(String(found.state))) return;
  if (reached === 'failed') {
    const failure = { state: reached, code: status.code ?? 'no code', retryAfterMs: null };
    attemptFailed(store, provider, attempt, failure, now);
  } else if (reached === 'accepted' && found.state !== 'rejected') {
    setState(store, attempt, reached, null, now);
  } else {
    attemptArrived(store, attempt, reached, now);
  }
}

/** Records the hash of the provider's message ID, by which later statuses find the attempt. */
export function recordMessageId({ sql, keys }: AlertStore, attempt: number, messageId: string): void {
  const key = keys.keyFor('message', messageId);
  sql.run`update alert_attempt set message_key = ${key} where id = ${attempt} and message_key is null
    and not exists (select 1 from alert_attempt where message_key = ${key})`;
}

/** Sets the state of an attempt, and of its message unless it has been retried or requeued. */
function setState(
  store: AlertStore,
  attempt: number,
  state: 'unknown' | 'accepted' | 'delivered' | 'read',
  reason: string | null,
  now: number,
): void {
  const { sql } = store;
  const askAt = state === 'unknown' ? now + retryPause('lookUp', 1) : null;
  sql.run`update alert_attempt set state = ${state}, ask_at = ${askAt} where id = ${attempt}`;
  if (state !== 'unknown') recordConfirmationSent(store, attempt, now);
  sql.run`update alert_message set state = ${state}, reason = ${reason}, settled_at = ${now}
    where id = (select message from alert_attempt where id = ${attempt}) and attempt = ${attempt}
      and state <> 'queued'`;
}

/**
 * Records that the message was sent after all. If a reported failure had requeued it, takes it out of the
 * queue and advances its watermarks again, so that it is not sent twice.
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

/** Records the user ID of the recipient. If that user ID has stopped, stops the number too. */
function recordReceiver(store: AlertStore, attempt: number, userId: string, now: number): void {
  const id = store.sql.get`select contact from alert_attempt where id = ${attempt}`?.contact;
  const contact = typeof id === 'number' ? contactById(store, id) : null;
  if (contact === null) return;
  recordUserId(store, contact, userId);
  const key = store.keys.keyFor('user', userId);
  const at = store.sql.get`select at from alert_suppression where key = ${key}`?.at;
  if (typeof at === 'number') stopContact(store, contact, { at, now, sender: { number: null, userId } });
}

/** Releases the messages that waited for the attempt's template, since the provider accepts it. */
function releaseTemplateOf(store: AlertStore, attempt: number, now: number): void {
  const found = store.sql.get`select kind from alert_message
    where id = (select message from alert_attempt where id = ${attempt}) and form = 'template'`;
  if (found !== undefined) releaseTemplate(store, String(found.kind), now);
}

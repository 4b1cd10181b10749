import type { AlertStore } from '../tables/alert-store.ts';
import { recordConfirmationSent } from '../tables/confirmation-requests.ts';
import { personById, recordUserId } from '../tables/people.ts';
import { stopPerson } from '../tables/stop-person.ts';
import { retryPause } from './retry-pauses.ts';

/**
 * Sets the state of an attempt. Its message gets the same state, unless a newer attempt holds the message or it has
 * been requeued.
 */
export function setAttemptState(
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

/** Records the user ID of an attempt's receiver. If that user ID has stopped, the number is stopped too. */
export function recordReceiver(store: AlertStore, attempt: number, userId: string, now: number): void {
  const id = store.sql.get`select person from alert_attempt where id = ${attempt}`?.person;
  const person = typeof id === 'number' ? personById(store, id) : null;
  if (person === null) return;
  recordUserId(store, person, userId);
  const key = store.keys.keyFor('user', userId);
  const stoppedAt = store.sql.get`select at from alert_suppression where key = ${key}`?.at;
  if (typeof stoppedAt !== 'number') return;
  const stop = { scope: { kind: 'everything' }, at: stoppedAt, now } as const;
  stopPerson(store, { number: null, userId }, person, stop);
}

import type { MessageProvider, SendOutcome } from '../providers/message-provider.ts';
import type { AlertStore } from '../records/alert-store.ts';
import { personById, rememberUser } from '../records/people.ts';
import { stopPerson } from '../records/stop-person.ts';
import { attemptFailed } from './attempt-failed.ts';
import { closeCircuit, countAnswer, countUnknown } from './circuit.ts';
import { tellAgain } from './drop-message.ts';

/** Writes down what came of a call. What a webhook has told meanwhile stands. */
export function settleAttempt(
  store: AlertStore,
  provider: MessageProvider['name'],
  attempt: number,
  outcome: SendOutcome,
  now: number,
): void {
  store.transact(() => {
    const open = store.sql.get`select person from alert_attempt
      where id = ${attempt} and state in ('begun', 'unknown')`;
    if (outcome.kind !== 'unknown') countAnswer(store);
    if (outcome.kind === 'accepted') {
      closeCircuit(store, now);
      rememberMessage(store, attempt, outcome.messageId);
      if (outcome.userId !== null) rememberReceiver(store, attempt, outcome.userId, now);
    }
    if (open === undefined) return;
    switch (outcome.kind) {
      case 'accepted':
        setState(store, attempt, outcome.isDelivered ? 'delivered' : 'accepted', null, now);
        break;
      case 'unknown':
        setState(store, attempt, 'unknown', outcome.why, now);
        countUnknown(store, attempt, outcome.why, now);
        break;
      case 'rejected':
        attemptFailed(store, provider, attempt, { state: 'rejected', ...outcome }, now);
    }
  });
}

/** Attempts whose caller is gone: whether they were sent is not known, so they are never made again. */
export function giveUpLeases(store: AlertStore, now: number): void {
  const over = store.sql.all`select id from alert_attempt where state = 'begun' and lease_until <= ${now}`;
  if (over.length === 0) return;
  store.transact(() => {
    for (const { id } of over) setState(store, Number(id), 'unknown', 'nobody heard an answer', now);
  });
}

/** Gives an attempt a state, and its message the same if no newer attempt has it and it was not put back. */
export function setState(
  { sql }: AlertStore,
  attempt: number,
  state: 'unknown' | 'accepted' | 'delivered' | 'read',
  reason: string | null,
  now: number,
): void {
  sql.run`update alert_attempt set state = ${state} where id = ${attempt}`;
  sql.run`update alert_message set state = ${state}, reason = ${reason}, settled_at = ${now}
    where id = (select message from alert_attempt where id = ${attempt}) and attempt = ${attempt}
      and state <> 'queued'`;
}

/**
 * A message has arrived, whatever was told of it before. Where a failure has put it back into the queue it is
 * taken out again, and its drops are told after all: nobody gets it twice.
 */
export function attemptArrived(
  store: AlertStore,
  attempt: number,
  state: 'delivered' | 'read',
  now: number,
): void {
  const { sql } = store;
  const failed = sql.get`select watch, told from alert_message
    where id = (select message from alert_attempt where id = ${attempt}) and attempt = ${attempt}
      and state in ('queued', 'failed', 'dropped')`;
  if (typeof failed?.told === 'string') tellAgain(store, Number(failed.watch), failed.told);
  sql.run`update alert_attempt set state = ${state} where id = ${attempt}`;
  sql.run`update alert_message set state = ${state}, reason = null, settled_at = ${now}
    where id = (select message from alert_attempt where id = ${attempt}) and attempt = ${attempt}`;
}

/** The provider's id of a message, by which its statuses may name it. Only its hash is kept: it spells the number. */
function rememberMessage({ sql, keys }: AlertStore, attempt: number, messageId: string | null): void {
  if (messageId === null) return;
  const key = keys.hash('message', messageId);
  sql.run`update alert_attempt set message_key = ${key}
    where id = ${attempt} and not exists (select 1 from alert_attempt where message_key = ${key})`;
}

/** Remembers the user id of whom an attempt went to. Where that id is known to have stopped, the number is too. */
export function rememberReceiver(store: AlertStore, attempt: number, userId: string, now: number): void {
  const id = store.sql.get`select person from alert_attempt where id = ${attempt}`?.person;
  const person = typeof id === 'number' ? personById(store, id) : null;
  if (person === null) return;
  rememberUser(store, person, userId);
  const key = store.keys.hash('user', userId);
  const isStopped = store.sql.get`select 1 from alert_suppression where key = ${key}` !== undefined;
  if (isStopped) stopPerson(store, { number: null, userId }, person, now);
}

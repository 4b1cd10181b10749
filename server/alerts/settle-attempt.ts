import type { AlertStore } from './alert-store.ts';
import { closeCircuit, countUnknown, openCircuit } from './circuit.ts';
import { actionFor, type ErrorAction } from './error-actions.ts';
import type { MessageProvider, SendOutcome } from './message-provider.ts';
import { raiseNotice } from './notices.ts';
import { personById, rememberUser } from './people.ts';
import { putBack, putBackAsTemplate } from './put-back.ts';
import { stopPerson } from './stop-person.ts';
import { untell } from './tell-drop.ts';

const A_SECOND_MS = 1_000;
const AN_HOUR_MS = 3_600 * A_SECOND_MS;

/** Waits before a message that Meta held back is tried again; after the last it is given up. */
const LATER_MS = [1, 6, 24, 48].map((hours) => hours * AN_HOUR_MS);

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
        countUnknown(store, outcome.why, now);
        break;
      case 'rejected':
        attemptFailed(store, provider, attempt, 'rejected', outcome.code, now);
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

/** Gives an attempt a state, and its message the same if no newer attempt has it. */
export function setState(
  { sql }: AlertStore,
  attempt: number,
  state: 'unknown' | 'accepted' | 'delivered' | 'read',
  reason: string | null,
  now: number,
): void {
  sql.run`update alert_attempt set state = ${state} where id = ${attempt}`;
  sql.run`update alert_message set state = ${state}, reason = ${reason}, settled_at = ${now}
    where attempt = ${attempt} and state <> 'queued'`;
}

/**
 * A message that was certainly not delivered: told drops are untold, and the code decides what is next.
 * `state` says whether the call was refused or the message failed later.
 */
export function attemptFailed(
  store: AlertStore,
  provider: MessageProvider['name'],
  attempt: number,
  state: 'rejected' | 'failed',
  code: string,
  now: number,
): void {
  const { sql } = store;
  sql.run`update alert_attempt set state = ${state}, code = ${code} where id = ${attempt}`;
  const message = sql.get`select id, person, watch, told, tries, form from alert_message
    where attempt = ${attempt} and state in ('sending', 'unknown', 'accepted')`;
  if (message === undefined) return;
  const [id, person, tries] = [Number(message.id), Number(message.person), Number(message.tries)];
  if (typeof message.told === 'string') untell(store, Number(message.watch), message.told);
  act(
    store,
    actionFor(provider, code),
    { id, person, tries, isTemplate: message.form === 'template' },
    code,
    now,
  );
}

function act(
  store: AlertStore,
  action: ErrorAction,
  message: { id: number; person: number; tries: number; isTemplate: boolean },
  code: string,
  now: number,
): void {
  const { id, person, tries } = message;
  switch (action) {
    case 'final':
      fail(store, id, code, now);
      break;
    case 'final, raise':
      raiseNotice(store, 'template', `The provider refuses a message for good: ${code}`, now);
      fail(store, id, code, now);
      break;
    case 'as template':
      if (message.isTemplate) fail(store, id, code, now);
      else putBackAsTemplate(store, id, now);
      break;
    case 'later': {
      const wait = LATER_MS[tries - 1];
      if (wait === undefined) fail(store, id, code, now);
      else putBack(store, id, now + wait, now);
      break;
    }
    case 'stop': {
      fail(store, id, code, now);
      const stopped = personById(store, person);
      if (stopped !== null) stopPerson(store, { number: null, userId: null }, stopped, now);
      break;
    }
    case 'slow down':
      openCircuit(store, 'slow down', code, now);
      putBack(store, id, now + A_SECOND_MS * 2 ** Math.min(tries, 12), now);
      break;
    case 'slow down to this number': {
      const until = now + 6 * A_SECOND_MS * 2 ** Math.min(tries, 8);
      store.sql.run`update alert_person set not_before = ${until} where id = ${person}`;
      putBack(store, id, until, now);
      break;
    }
    case 'pause':
      openCircuit(store, 'pause', code, now);
      putBack(store, id, now, now);
      break;
    case 'open circuit':
      openCircuit(store, 'account', code, now);
      putBack(store, id, now, now);
      break;
  }
}

function fail({ sql }: AlertStore, message: number, code: string, now: number): void {
  sql.run`update alert_message set state = 'failed', reason = ${code}, settled_at = ${now} where id = ${message}`;
}

/** The provider's id of a message, by which its statuses may name it. Only its hash is kept: it spells the number. */
function rememberMessage({ sql, keys }: AlertStore, attempt: number, messageId: string | null): void {
  if (messageId === null) return;
  sql.run`update or ignore alert_attempt set message_key = ${keys.hash('message', messageId)} where id = ${attempt}`;
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

import type { MessageProvider } from '../providers/message-provider.ts';
import type { AlertStore } from '../tables/alert-store.ts';
import { deleteConfirmationRequest } from '../tables/confirmation-requests.ts';
import { type Channel, contactById, eraseAt } from '../tables/contacts.ts';
import { dropQueuedMessages, type MessageKind } from '../tables/messages.ts';
import { raiseNotice } from '../tables/notices.ts';
import { stopContact } from '../tables/stops.ts';
import { endWatches } from '../tables/watches.ts';
import { openCircuit } from './circuit.ts';
import { requeueMessage } from './requeue.ts';
import { retryPause } from './retry-pauses.ts';
import { holdTemplate, waitForTemplate } from './template-holds.ts';
import { revertWatermarks } from './watermarks.ts';

/** A rejected call or a message that failed later, with the provider's code and requested delay. */
export interface Failure {
  state: 'rejected' | 'failed';
  code: string;
  retryAfterMs: number | null;
}

interface FailedMessage {
  id: number;
  contact: number;
  watch: number | null;
  kind: MessageKind;
  told: string | null;
  tries: number;
  form: 'template' | 'text';
  channel: Channel;
}

const A_SECOND_MS = 1_000;

/** How long operators can look up an ended push subscription. */
const KEPT_AFTER_END_MS = 24 * 60 * 60 * A_SECOND_MS;

/** Handles an undelivered message: reverts its watermarks and acts on the provider's code. */
export function attemptFailed(
  store: AlertStore,
  provider: Pick<MessageProvider, 'errorAction'>,
  attempt: number,
  failure: Failure,
  now: number,
): void {
  const { sql } = store;
  const { state, code } = failure;
  sql.run`update alert_attempt set state = ${state}, code = ${code} where id = ${attempt}`;
  const message = sql.get<FailedMessage>`select id, contact, watch, kind, told, tries, form, channel from alert_message
    where id = (select message from alert_attempt where id = ${attempt}) and attempt = ${attempt}
      and state in ('sending', 'unknown', 'accepted')`;
  if (message === undefined) return;
  if (message.told !== null && message.watch !== null) revertWatermarks(store, message.watch, message.told);
  applyAction(store, provider, message, failure, now);
}

function applyAction(
  store: AlertStore,
  provider: Pick<MessageProvider, 'errorAction'>,
  message: FailedMessage,
  { code, retryAfterMs }: Failure,
  now: number,
): void {
  const { id, contact, tries, channel } = message;
  const action = provider.errorAction(code);
  const raise = (text: string) => raiseNotice(store, 'template', text, now);
  /** The delay after this message's failures of one kind, or a longer one that the provider asked for. */
  function pauseFor(kind: 'soon' | 'later' | 'later, raise'): number {
    const failures = store.sql.all`select code from alert_attempt
      where message = ${id} and state in ('rejected', 'failed')`;
    const times = failures.filter((failure) => provider.errorAction(String(failure.code)) === kind).length;
    return Math.max(retryPause(kind === 'soon' ? 'soon' : 'later', times), retryAfterMs ?? 0);
  }
  switch (action) {
    case 'final':
      fail(store, message, code, now);
      break;
    case 'final, raise':
      raise(
        `The provider rejected a message permanently: ${code}. Find the cause, then run \`npm run alerts -- send-again --all --error '${code}'\`.`,
      );
      fail(store, message, code, now);
      break;
    case 'as template':
      if (message.form === 'template') fail(store, message, code, now);
      else {
        store.sql.run`update alert_message set form = 'template' where id = ${id}`;
        requeueMessage(store, id, now, now);
      }
      break;
    case 'later, raise':
      raise(
        `The provider rejected a message: ${code}. Skylark will retry it. If all messages fail, check the key of its channel.`,
      );
      requeueMessage(store, id, now + pauseFor(action), now);
      break;
    case 'soon':
    case 'later':
      requeueMessage(store, id, now + pauseFor(action), now);
      break;
    case 'hold template':
      // Due after the template's other messages, so that the next attempt uses a different one.
      waitForTemplate(store, id, holdTemplate(store, message.kind, code, now) + A_SECOND_MS);
      requeueMessage(store, id, null, now);
      break;
    case 'stop': {
      fail(store, message, code, now);
      const stopped = contactById(store, contact);
      if (stopped !== null) stopContact(store, stopped, { at: now, now });
      break;
    }
    case 'gone':
      fail(store, message, code, now);
      endWatches(store, contact, now);
      dropQueuedMessages(store, contact, 'the address no longer exists', now);
      // An ended subscription never works again. To get alerts, its browser has to sign up again.
      if (channel === 'push') eraseAt(store, contact, now + KEPT_AFTER_END_MS);
      break;
    case 'slow down':
      openCircuit(store, channel, 'slow down', code, now, retryAfterMs ?? 0);
      requeueMessage(
        store,
        id,
        now + Math.max(retryAfterMs ?? 0, A_SECOND_MS * 2 ** Math.min(tries, 12)),
        now,
      );
      break;
    case 'slow down to this number': {
      const until = now + Math.max(retryAfterMs ?? 0, 6 * A_SECOND_MS * 2 ** Math.min(tries, 8));
      store.sql.run`update alert_contact set not_before = ${until} where id = ${contact}`;
      requeueMessage(store, id, until, now);
      break;
    }
    case 'pause':
      openCircuit(store, channel, 'pause', code, now);
      requeueMessage(store, id, now, now);
      break;
    case 'open circuit':
      openCircuit(store, channel, 'account', code, now);
      requeueMessage(store, id, now, now);
      break;
  }
}

function fail(store: AlertStore, { id, contact, kind }: FailedMessage, code: string, now: number): void {
  store.sql
    .run`update alert_message set state = 'failed', reason = ${code}, settled_at = ${now} where id = ${id}`;
  if (kind === 'confirm') deleteConfirmationRequest(store, contact);
}

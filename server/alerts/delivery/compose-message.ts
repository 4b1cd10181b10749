import { CONFIRMATION_QUIET_HOURS, earliestAlert } from '../../../domain/quiet-hours.ts';
import type { AlertStore } from '../tables/alert-store.ts';
import { contactById } from '../tables/contacts.ts';
import { CONFIRMATION_DAYS } from '../tables/retention.ts';
import { isSuppressed } from '../tables/stops.ts';
import { composeDrop } from './compose-drop.ts';
import type { Composition, QueuedMessage } from './queued-message.ts';
import type { SendContext } from './send-context.ts';
import { earliestSendTo } from './sending-limits.ts';

const A_MINUTE_MS = 60_000;
const AN_HOUR_MS = 60 * A_MINUTE_MS;

/** The maximum age of a message. A price alert has none: it is dropped when its price drop is over. */
const MAX_AGE_MS = {
  confirm: CONFIRMATION_DAYS * 24 * AN_HOUR_MS,
  welcome: CONFIRMATION_DAYS * 24 * AN_HOUR_MS,
  reply: 24 * AN_HOUR_MS,
} as const;

/** A person who wrote within this time gets messages even in quiet hours. */
const IS_WRITING_MS = 10 * A_MINUTE_MS;

/** Composes a due message from current data, or returns why it waits or is dropped. */
export function composeMessage(context: SendContext, message: QueuedMessage, now: number): Composition {
  const { store } = context;
  const contact = contactById(store, message.contact);
  if (contact === null) return { kind: 'drop', reason: 'stopped' };
  const answersStop = message.answers_stop === 1;
  if (isSuppressed(store, contact) && !answersStop) return { kind: 'drop', reason: 'stopped' };
  // Only a template could still be sent, and a stopped person must not get one.
  if (answersStop && message.form === 'template') return { kind: 'drop', reason: 'too late' };
  const earliest = earliestSendTo(context, message.contact, now);
  if (earliest > now) return { kind: 'wait', until: earliest };
  if (message.kind === 'drop') return composeDrop(context, message, now);
  if (message.body === null) return { kind: 'drop', reason: 'no text' };
  return { kind: 'ready', body: message.body, itemKeys: [], hasMore: false };
}

/** Why a message has to wait or is out of date, whatever its text. Null: it may be composed and sent now. */
export function notNow(
  { store, quietHours }: SendContext,
  message: QueuedMessage,
  now: number,
): Exclude<Composition, { kind: 'ready' }> | null {
  if (message.kind === 'drop') return null;
  if (now - message.created_at > MAX_AGE_MS[message.kind]) return { kind: 'drop', reason: 'too late' };
  if (message.watch !== null && hasEnded(store, message.watch, now))
    return { kind: 'drop', reason: 'the watch ended' };
  if (message.hurried === 1 || isWriting(store, message.contact, now)) return null;
  if (message.kind === 'confirm' && message.channel !== 'whatsapp') return null;
  const isConfirmation = message.kind === 'confirm' && quietHours !== null;
  const earliest = earliestAlert(now, null, isConfirmation ? CONFIRMATION_QUIET_HOURS : quietHours);
  return earliest > now ? { kind: 'wait', until: earliest } : null;
}

function hasEnded({ sql }: AlertStore, watch: number, now: number): boolean {
  const found = sql.get`select 1 from alert_watch where id = ${watch} and state <> 'ended' and departs_at > ${now}`;
  return found === undefined;
}

function isWriting({ sql }: AlertStore, contact: number, now: number): boolean {
  const wroteAt = sql.get`select wrote_at from alert_contact where id = ${contact}`?.wrote_at;
  return typeof wroteAt === 'number' && wroteAt > now - IS_WRITING_MS;
}

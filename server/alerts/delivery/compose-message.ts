import { CONFIRMATION_QUIET_HOURS, earliestAlert, type QuietHours } from '../../../domain/quiet-hours.ts';
import type { AlertSession } from '../tables/alert-store.ts';
import { contactById } from '../tables/contacts.ts';
import type { QueuedMessage } from '../tables/messages.ts';
import { CONFIRMATION_DAYS } from '../tables/retention.ts';
import { isSuppressed } from '../tables/stops.ts';
import { type Composition, composeDrop } from './compose-drop.ts';
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
export async function composeMessage(
  context: SendContext,
  message: QueuedMessage,
  now: number,
): Promise<Composition> {
  const { store, quietHours } = context;
  const contact = await contactById(store, message.contact);
  if (contact === null || ((await isSuppressed(store, contact)) && message.answers_stop === 0))
    return { kind: 'drop', reason: 'stopped' };
  const next = await earliestSendTo(context, message.contact, now);
  if (message.kind === 'drop')
    return next > now ? { kind: 'wait', until: next } : await composeDrop(context, message, now);
  if (now - message.created_at > MAX_AGE_MS[message.kind]) return { kind: 'drop', reason: 'too late' };
  if (message.watch !== null && (await hasEnded(store, message.watch, now)))
    return { kind: 'drop', reason: 'the watch ended' };
  const earliest = Math.max(next, await earliestInDay(store, message, quietHours, now));
  if (earliest > now) return { kind: 'wait', until: earliest };
  if (message.body === null) return { kind: 'drop', reason: 'no text' };
  return { kind: 'ready', body: message.body, told: [], hasMore: false };
}

/** When quiet hours allow a message that is no price alert. */
async function earliestInDay(
  store: AlertSession,
  message: QueuedMessage,
  quietHours: QuietHours,
  now: number,
): Promise<number> {
  if (message.hurried === 1 || (await isWriting(store, message.contact, now))) return now;
  if (message.kind === 'confirm' && message.channel !== 'whatsapp') return now;
  const isConfirmation = message.kind === 'confirm' && quietHours !== null;
  return earliestAlert(now, null, isConfirmation ? CONFIRMATION_QUIET_HOURS : quietHours);
}

async function hasEnded({ sql }: AlertSession, watch: number, now: number): Promise<boolean> {
  const found =
    await sql.get`select 1 from alert_watch where id = ${watch} and state <> 'ended' and departs_at > ${now}`;
  return found === undefined;
}

async function isWriting({ sql }: AlertSession, contact: number, now: number): Promise<boolean> {
  const wroteAt = (await sql.get`select wrote_at from alert_contact where id = ${contact}`)?.wrote_at;
  return typeof wroteAt === 'number' && wroteAt > now - IS_WRITING_MS;
}

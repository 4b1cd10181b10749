import { CONFIRMATION_QUIET_HOURS, earliestAlert } from '../../../domain/quiet-hours.ts';
import type { AlertStore } from '../tables/alert-store.ts';
import { CONFIRMATION_DAYS } from '../tables/retention.ts';
import type { Composition, QueuedMessage } from './queued-message.ts';
import type { SendContext } from './send-context.ts';

const A_MINUTE_MS = 60_000;
const AN_HOUR_MS = 60 * A_MINUTE_MS;

/** When a message says nothing useful any more. A price drop ends with its drop instead. */
const MAX_AGE_MS = {
  confirm: CONFIRMATION_DAYS * 24 * AN_HOUR_MS,
  welcome: CONFIRMATION_DAYS * 24 * AN_HOUR_MS,
  reply: 24 * AN_HOUR_MS,
} as const;

/** Somebody who has written this recently is there now, so quiet hours do not apply. */
const IS_WRITING_MS = 10 * A_MINUTE_MS;

/** Whether a message must wait or is out of date, apart from what it says. Null: it may be composed and sent now. */
export function notNow(
  { store, quietHours }: SendContext,
  message: QueuedMessage,
  now: number,
): Exclude<Composition, { kind: 'ready' }> | null {
  if (message.kind === 'drop') return null;
  if (now - message.created_at > MAX_AGE_MS[message.kind]) return { kind: 'drop', reason: 'too late' };
  if (message.watch !== null && hasEnded(store, message.watch, now))
    return { kind: 'drop', reason: 'the watch ended' };
  if (message.hurried === 1 || isWriting(store, message.person, now)) return null;
  if (message.kind === 'confirm' && message.channel !== 'whatsapp') return null;
  const isConfirmation = message.kind === 'confirm' && quietHours !== null;
  const earliest = earliestAlert(now, null, isConfirmation ? CONFIRMATION_QUIET_HOURS : quietHours);
  return earliest > now ? { kind: 'wait', until: earliest } : null;
}

function hasEnded({ sql }: AlertStore, watch: number, now: number): boolean {
  const found = sql.get`select 1 from alert_watch where id = ${watch} and state <> 'ended' and departs_at > ${now}`;
  return found === undefined;
}

/** Whether a person has written within the last minutes, by their own clock. */
function isWriting({ sql }: AlertStore, person: number, now: number): boolean {
  const wroteAt = sql.get`select wrote_at from alert_person where id = ${person}`?.wrote_at;
  return typeof wroteAt === 'number' && wroteAt > now - IS_WRITING_MS;
}

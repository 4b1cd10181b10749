import * as v from 'valibot';
import type { AlertStore } from '../tables/alert-store.ts';
import { type MessageText, messageText } from '../tables/messages.ts';
import { CHANNELS, type Channel } from '../tables/stop-scope.ts';

/** A message in the outbox; `body` is null for a price drop, which is composed when it is sent. */
const queuedMessage = v.object({
  id: v.number(),
  person: v.number(),
  watch: v.nullable(v.number()),
  kind: v.picklist(['confirm', 'welcome', 'drop', 'reply']),
  channel: v.picklist(CHANNELS),
  form: v.picklist(['template', 'text']),
  hurried: v.number(),
  /** 1: the answer to a STOP, which a stopped person still gets. */
  answers_stop: v.number(),
  body: v.nullable(v.pipe(v.string(), v.parseJson(), messageText)),
  created_at: v.number(),
});

export type QueuedMessage = v.InferOutput<typeof queuedMessage>;

/**
 * A channel's message to send next, or null: replies first, because somebody is waiting for them, then the message that
 * has been due for longest. `onlyReplies` leaves out the rest, while their daily budget is spent.
 */
export function firstDueMessage(
  store: AlertStore,
  channel: Channel,
  now: number,
  { onlyReplies }: { onlyReplies: boolean },
): QueuedMessage | null {
  const { sql } = store;
  const reply = sql.get`select id from alert_message
    where channel = ${channel} and state = 'queued' and kind = 'reply' and due_at <= ${now} order by due_at limit 1`;
  const found =
    reply ??
    (onlyReplies
      ? undefined
      : sql.get`select id from alert_message
          where channel = ${channel} and state = 'queued' and due_at <= ${now} order by due_at limit 1`);
  return found === undefined ? null : findMessage(store, Number(found.id));
}

/** A message by its ID, in any state, or null. */
export function findMessage({ sql }: AlertStore, id: number): QueuedMessage | null {
  const found = sql.get`select id, person, watch, kind, channel, form, hurried, answers_stop, body, created_at from alert_message
    where id = ${id}`;
  return found === undefined ? null : v.parse(queuedMessage, found);
}

/** When the next message is due, in milliseconds since 1970; null if the queue is empty. */
export function nextDueTime({ sql }: AlertStore, channel: Channel): number | null {
  const due = sql.get`select min(due_at) as due from alert_message
    where channel = ${channel} and state = 'queued'`?.due;
  return typeof due === 'number' ? due : null;
}

/** The same of replies. */
export function nextReplyTime({ sql }: AlertStore, channel: Channel): number | null {
  const due = sql.get`select min(due_at) as due from alert_message
    where channel = ${channel} and state = 'queued' and kind = 'reply'`?.due;
  return typeof due === 'number' ? due : null;
}

/**
 * What composing a queued message gives. `itemKeys` are the packages whose price drops it names; `hasMore`: others have
 * dropped too and stay due.
 */
export type Composition =
  | { kind: 'ready'; body: MessageText; itemKeys: readonly string[]; hasMore: boolean }
  | { kind: 'wait'; until: number }
  | { kind: 'drop'; reason: string };

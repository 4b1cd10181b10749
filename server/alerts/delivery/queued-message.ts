import type { AlertStore } from '../tables/alert-store.ts';
import type { Channel } from '../tables/contacts.ts';
import { type MessageKind, type MessageText, readText } from '../tables/messages.ts';

export interface QueuedMessage {
  id: number;
  contact: number;
  watch: number | null;
  kind: MessageKind;
  channel: Channel;
  form: 'template' | 'text';
  hurried: number;
  /** 1 for the reply to a STOP, which a stopped person still gets. */
  answers_stop: number;
  /** Null for a price alert, whose text is composed when it is sent. */
  body: MessageText | null;
  created_at: number;
}

/** The channel's next due message: the reply due longest, else the message due longest. Null if none is due. */
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
  const found = sql.get<Omit<QueuedMessage, 'body'> & { body: string | null }>`
    select id, contact, watch, kind, channel, form, hurried, answers_stop, body, created_at from alert_message
    where id = ${id}`;
  return found === undefined ? null : { ...found, body: readText(found.body) };
}

/** When the next message is due, in milliseconds since 1970; null if the queue is empty. */
export function nextDueTime({ sql }: AlertStore, channel: Channel): number | null {
  return (
    sql.get<{ due: number | null }>`select min(due_at) as due from alert_message
      where channel = ${channel} and state = 'queued'`?.due ?? null
  );
}

export function nextReplyTime({ sql }: AlertStore, channel: Channel): number | null {
  return (
    sql.get<{ due: number | null }>`select min(due_at) as due from alert_message
      where channel = ${channel} and state = 'queued' and kind = 'reply'`?.due ?? null
  );
}

/** `itemKeys`: the packages that the message names. `hasMore`: further packages have dropped, and stay due. */
export type Composition =
  | { kind: 'ready'; body: MessageText; itemKeys: readonly string[]; hasMore: boolean }
  | { kind: 'wait'; until: number }
  | { kind: 'drop'; reason: string };

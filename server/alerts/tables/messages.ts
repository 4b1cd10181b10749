import * as v from 'valibot';
import type { AlertStore } from './alert-store.ts';

/** A message: its template, the template's parameters in order, the full text, and its quick-reply buttons. */
export type MessageText = v.InferOutput<typeof messageText>;

/** A quick-reply button. Pressed, its payload comes back, and is read by `inbound/reading/payloads.ts`. */
export interface MessageButton {
  /** At most 20 characters: providers reject longer ones. */
  title: string;
  payload: string;
}

export const messageText = v.object({
  template: v.picklist(['confirm', 'welcome', 'drop', 'reply']),
  parameters: v.array(v.string()),
  text: v.string(),
  /** At most three. The buttons of a template are registered with it. */
  buttons: v.optional(v.array(v.object({ title: v.string(), payload: v.string() })), []),
  /** Similar holidays that have dropped too, for channels that list them. */
  similar: v.optional(v.array(v.string()), []),
});

export type MessageKind = 'confirm' | 'welcome' | 'drop' | 'reply';

/**
 * Puts a message into the outbox, due at once. On WhatsApp replies are free text and others are templates; other
 * channels have no templates.
 */
export function queueMessage(
  { sql }: AlertStore,
  message: {
    person: number;
    watch: number | null;
    kind: Exclude<MessageKind, 'drop'>;
    body: MessageText;
    /** Whether it is the answer to a STOP, which a stopped person still gets. */
    answersStop?: boolean;
    now: number;
  },
): void {
  const { person } = message;
  const answersStop = message.answersStop === true ? 1 : 0;
  sql.run`insert into alert_message (person, watch, kind, channel, form, state, due_at, body, answers_stop, created_at)
    values (${person}, ${message.watch}, ${message.kind}, (select channel from alert_person where id = ${person}),
      (select case when channel = 'whatsapp' and ${message.kind} <> 'reply' then 'template' else 'text' end
        from alert_person where id = ${person}), 'queued', ${message.now},
      ${JSON.stringify(message.body)}, ${answersStop}, ${message.now})`;
}

/** Puts a price alert of a watch into the outbox, unless one is waiting. Its text is composed when it is sent. */
export function queueDrop(
  { sql }: Pick<AlertStore, 'sql'>,
  drop: { person: number; watch: number; now: number },
): void {
  sql.run`insert into alert_message (person, watch, kind, channel, form, state, due_at, created_at)
    values (${drop.person}, ${drop.watch}, 'drop', (select channel from alert_person where id = ${drop.person}),
      (select case when channel = 'whatsapp' then 'template' else 'text' end from alert_person where id = ${drop.person}),
      'queued', ${drop.now}, ${drop.now})
    on conflict (watch) where state = 'queued' and kind = 'drop' do nothing`;
}

/** Makes a queued message due at once: it waits neither for the morning nor for the next day. */
export function hurryMessage({ sql }: AlertStore, message: number, now: number): void {
  sql.run`update alert_message set hurried = 1, due_at = ${now} where id = ${message} and state = 'queued'`;
}

/** Whether the provider has accepted a message. */
export function isSent({ sql }: AlertStore, message: number): boolean {
  const found = sql.get`select 1 from alert_message
    where id = ${message} and state in ('accepted', 'delivered', 'read')`;
  return found !== undefined;
}

/** Drops the queued messages to a person, except the answer to a STOP. */
export function dropQueuedMessages({ sql }: AlertStore, person: number, reason: string, now: number): void {
  sql.run`update alert_message set state = 'dropped', reason = ${reason}, settled_at = ${now}
    where person = ${person} and state = 'queued' and answers_stop = 0`;
}

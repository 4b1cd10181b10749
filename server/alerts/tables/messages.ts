import * as v from 'valibot';
import type { AlertStore } from './alert-store.ts';

/** A message's template with parameters, full text, and quick-reply buttons. */
export type MessageText = v.InferOutput<typeof messageText>;

/** A quick-reply button. Pressing it sends its payload. */
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
  /** Similar holidays that have also dropped in price, for channels that list them. */
  similar: v.optional(v.array(v.string()), []),
});

export type MessageKind = MessageText['template'];

const storedText = v.pipe(v.string(), v.parseJson(), messageText);

/** Parses the text of a stored message; null if it is not composed yet. */
export function readText(body: unknown): MessageText | null {
  return typeof body === 'string' ? v.parse(storedText, body) : null;
}

/** Queues a message that is due now. On WhatsApp, all messages but replies are templates. */
export function queueMessage(
  { sql }: AlertStore,
  message: {
    contact: number;
    watch: number | null;
    kind: Exclude<MessageKind, 'drop'>;
    body: MessageText;
    /** Whether this is the reply to a STOP, which a stopped person still gets. */
    answersStop?: boolean;
    now: number;
  },
): void {
  const { contact } = message;
  const answersStop = message.answersStop === true ? 1 : 0;
  sql.run`insert into alert_message (contact, watch, kind, channel, form, state, due_at, body, answers_stop, created_at)
    values (${contact}, ${message.watch}, ${message.kind}, (select channel from alert_contact where id = ${contact}),
      (select case when channel = 'whatsapp' and ${message.kind} <> 'reply' then 'template' else 'text' end
        from alert_contact where id = ${contact}), 'queued', ${message.now},
      ${JSON.stringify(message.body)}, ${answersStop}, ${message.now})`;
}

/** Queues a watch's price alert, unless one is queued. Its text is composed when it is sent. */
export function queueDrop(
  { sql }: Pick<AlertStore, 'sql'>,
  drop: { contact: number; watch: number; now: number },
): void {
  sql.run`insert into alert_message (contact, watch, kind, channel, form, state, due_at, created_at)
    values (${drop.contact}, ${drop.watch}, 'drop', (select channel from alert_contact where id = ${drop.contact}),
      (select case when channel = 'whatsapp' then 'template' else 'text' end from alert_contact where id = ${drop.contact}),
      'queued', ${drop.now}, ${drop.now})
    on conflict (watch) where state = 'queued' and kind = 'drop' do nothing`;
}

/** Makes a queued message due now, ignoring quiet hours and the daily limit. */
export function hurryMessage({ sql }: AlertStore, message: number, now: number): void {
  sql.run`update alert_message set hurried = 1, due_at = ${now} where id = ${message} and state = 'queued'`;
}

export function isSent({ sql }: AlertStore, message: number): boolean {
  const found = sql.get`select 1 from alert_message
    where id = ${message} and state in ('accepted', 'delivered', 'read')`;
  return found !== undefined;
}

/** Drops the queued messages to a person, except the reply to a STOP. */
export function dropQueuedMessages({ sql }: AlertStore, contact: number, reason: string, now: number): void {
  sql.run`update alert_message set state = 'dropped', reason = ${reason}, settled_at = ${now}
    where contact = ${contact} and state = 'queued' and answers_stop = 0`;
}

import type { AlertStore } from './alert-store.ts';
import type { MessageText } from './message-text.ts';

export type MessageKind = 'confirm' | 'welcome' | 'drop' | 'reply';

/** Puts a message into the outbox, due at once. Replies are free text, others are templates. */
export function queueMessage(
  { sql }: AlertStore,
  message: {
    person: number;
    watch: number | null;
    kind: Exclude<MessageKind, 'drop'>;
    body: MessageText;
    now: number;
  },
): void {
  const form = message.kind === 'reply' ? 'text' : 'template';
  sql.run`insert into alert_message (person, watch, kind, form, state, due_at, body, created_at)
    values (${message.person}, ${message.watch}, ${message.kind}, ${form}, 'queued', ${message.now},
      ${JSON.stringify(message.body)}, ${message.now})`;
}

/** Drops the queued messages to a person. */
export function dropQueuedMessages({ sql }: AlertStore, person: number, reason: string, now: number): void {
  sql.run`update alert_message set state = 'dropped', reason = ${reason}, settled_at = ${now}
    where person = ${person} and state = 'queued'`;
}

import { FAILURE_CLASSES, type FailureClass } from '../providers/error-action.ts';
import type { MessageProvider } from '../providers/message-provider.ts';
import type { AlertStore } from '../tables/alert-store.ts';
import type { Channel } from '../tables/contacts.ts';

/** Null matches every message. */
export interface MessageFilter {
  id: number | null;
  state: string | null;
  template: string | null;
  error: string | null;
}

/** A message without its text and recipient. */
export interface ListedMessage {
  id: number;
  template: string;
  channel: Channel;
  state: string;
  error: string | null;
  /** Who can resolve a failure; null for other states, and for channels that are not set up. */
  class: FailureClass | null;
  tries: number;
  createdAt: number;
  settledAt: number | null;
}

/** A page of matching messages in order of ID, starting after the message `after`. */
export function listMessages(
  { sql }: AlertStore,
  providerOf: (channel: Channel) => MessageProvider | null,
  filter: MessageFilter,
  after: number,
  limit: number,
): ListedMessage[] {
  const { id, state, template, error } = filter;
  return sql.all<MessageRow>`
    select id, kind as template, channel, state, reason as error, tries, created_at as "createdAt",
      settled_at as "settledAt" from alert_message
    where id > ${after} and id = coalesce(${id}, id) and state = coalesce(${state}, state)
      and kind = coalesce(${template}, kind) and coalesce(reason, '') = coalesce(${error}, reason, '')
    order by id limit ${limit}`.map((row) => listed(providerOf, row));
}

type MessageRow = Omit<ListedMessage, 'class'>;

function listed(providerOf: (channel: Channel) => MessageProvider | null, row: MessageRow): ListedMessage {
  const { state, error, tries, createdAt, settledAt, ...message } = row;
  const provider = providerOf(row.channel);
  const action = state === 'failed' && error !== null ? provider?.errorAction(error) : undefined;
  const failureClass = action === undefined ? null : FAILURE_CLASSES[action];
  return { ...message, state, error, class: failureClass, tries, createdAt, settledAt };
}

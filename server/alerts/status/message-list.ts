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
  return sql.all<Omit<ListedMessage, 'class'>>`
    select id, kind as template, channel, state, reason as error, tries, created_at as "createdAt",
      settled_at as "settledAt" from alert_message
    where id > ${after} and id = coalesce(${id}, id) and state = coalesce(${state}, state)
      and kind = coalesce(${template}, kind) and coalesce(reason, '') = coalesce(${error}, reason, '')
    order by id limit ${limit}`.map(({ tries, createdAt, settledAt, ...row }) => {
    const code = row.state === 'failed' ? row.error : null;
    const action = code === null ? undefined : providerOf(row.channel)?.errorAction(code);
    const failureClass = action === undefined ? null : FAILURE_CLASSES[action];
    return { ...row, class: failureClass, tries, createdAt, settledAt };
  });
}

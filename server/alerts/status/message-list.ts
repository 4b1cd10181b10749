import * as v from 'valibot';
import type { SqlRow } from '../../storage/sql-database.ts';
import { FAILURE_CLASSES, type FailureClass } from '../providers/error-action.ts';
import type { MessageProvider } from '../providers/message-provider.ts';
import type { AlertStore } from '../tables/alert-store.ts';
import { CHANNELS, type Channel } from '../tables/stop-scope.ts';

/** Which messages are meant; null: any. */
export interface MessageFilter {
  id: number | null;
  state: string | null;
  template: string | null;
  error: string | null;
}

/** A message without its text and number. */
export interface ListedMessage {
  id: number;
  template: string;
  channel: string;
  state: string;
  error: string | null;
  /** What can be done about a failure; null for other states and channels that are not set up. */
  class: FailureClass | null;
  tries: number;
  createdAt: number;
  settledAt: number | null;
}

/** A page of the messages that a filter means, by ID, after the message `after`. */
export function listMessages(
  { sql }: AlertStore,
  providerOf: (channel: Channel) => MessageProvider | null,
  filter: MessageFilter,
  after: number,
  limit: number,
): ListedMessage[] {
  const { id, state, template, error } = filter;
  return sql.all`select id, kind, channel, state, reason, tries, created_at, settled_at from alert_message
    where id > ${after} and id = coalesce(${id}, id) and state = coalesce(${state}, state)
      and kind = coalesce(${template}, kind) and coalesce(reason, '') = coalesce(${error}, reason, '')
    order by id limit ${limit}`.map((row) => listed(providerOf, row));
}

function listed(providerOf: (channel: Channel) => MessageProvider | null, row: SqlRow): ListedMessage {
  const provider = providerOf(v.parse(v.picklist(CHANNELS), row.channel));
  const error = row.reason === null || row.reason === undefined ? null : String(row.reason);
  return {
    id: Number(row.id),
    template: String(row.kind),
    channel: String(row.channel),
    state: String(row.state),
    error,
    class:
      row.state === 'failed' && error !== null && provider !== null
        ? FAILURE_CLASSES[provider.errorAction(error)]
        : null,
    tries: Number(row.tries),
    createdAt: Number(row.created_at),
    settledAt: typeof row.settled_at === 'number' ? row.settled_at : null,
  };
}

import type { AlertSession } from '../tables/alert-store.ts';
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
  tries: number;
  createdAt: number;
  settledAt: number | null;
}

/** A page of matching messages in order of ID, starting after the message `after`. */
export async function listMessages(
  { sql }: AlertSession,
  { id, state, template, error }: MessageFilter,
  after: number,
  limit: number,
): Promise<ListedMessage[]> {
  return sql.all<ListedMessage>`
    select id, kind as template, channel, state, reason as error, tries, created_at as "createdAt",
      settled_at as "settledAt" from alert_message
    where id > ${after} and id = coalesce(${id}, id) and state = coalesce(${state}, state)
      and kind = coalesce(${template}, kind) and coalesce(reason, '') = coalesce(${error}, reason, '')
    order by id limit ${limit}`;
}

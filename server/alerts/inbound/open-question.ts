import type { AlertStore } from '../tables/alert-store.ts';
import type { Contact } from '../tables/contacts.ts';
import { readText } from '../tables/messages.ts';

/** How long after our question a YES or NO still answers it. */
const MAX_AGE_MS = 60 * 60 * 1000;

/**
 * Our open question to a person: whether to stop all alerts, or to delete their data. Another message from us
 * or a sign-up closes it, as does an hour without an answer.
 */
export function openQuestion(
  { sql }: AlertStore,
  { id, contactKey }: Contact,
  now: number,
): 'stop' | 'delete' | null {
  const last = sql.get`select body, created_at from alert_message
    where contact = ${id} and attempt is not null order by attempt desc limit 1`;
  const text = readText(last?.body);
  if (last === undefined || text === null) return null;
  const askedAt = Number(last.created_at);
  if (askedAt <= now - MAX_AGE_MS) return null;
  const signedUp = sql.get`select 1 from alert_consent
    where contact_key = ${contactKey} and act = 'signed up' and at > ${askedAt}`;
  if (signedUp !== undefined) return null;
  const payloads = text.buttons.map(({ payload }) => payload);
  if (!payloads.includes('keep')) return null;
  return payloads.includes('delete') ? 'delete' : 'stop';
}

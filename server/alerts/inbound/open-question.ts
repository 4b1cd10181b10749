import * as v from 'valibot';
import type { AlertStore } from '../tables/alert-store.ts';
import { messageText } from '../tables/messages.ts';
import type { Person } from '../tables/people.ts';

/** How long YES and NO answer a question, in milliseconds. */
const MAX_AGE_MS = 60 * 60 * 1000;

const keptText = v.pipe(v.string(), v.parseJson(), messageText);

/**
 * What we last asked a person: whether to stop all alerts, or to delete their data. Null if we have sent anything else
 * since, if the person has signed up since, or after an hour.
 */
export function openQuestion(
  { sql }: AlertStore,
  { id, numberKey }: Person,
  now: number,
): 'stop' | 'delete' | null {
  const last = sql.get`select body, created_at from alert_message
    where person = ${id} and attempt is not null order by attempt desc limit 1`;
  if (last === undefined || typeof last.body !== 'string') return null;
  const askedAt = Number(last.created_at);
  if (askedAt <= now - MAX_AGE_MS) return null;
  const signedUp = sql.get`select 1 from alert_consent
    where number_key = ${numberKey} and act = 'signed up' and at > ${askedAt}`;
  if (signedUp !== undefined) return null;
  const payloads = v.parse(keptText, last.body).buttons.map(({ payload }) => payload);
  if (!payloads.includes('keep')) return null;
  return payloads.includes('delete') ? 'delete' : 'stop';
}

import { replyKeys } from '../keys/reply-keys.ts';
import type { AlertStore } from './alert-store.ts';
import type { Person } from './people.ts';

/** How long a person who has asked for erasure is kept for the answer, in milliseconds. */
const UNTIL_ANSWERED_MS = 60 * 60 * 1000;

/**
 * Erases everything about a person, at their own request, inside the caller's transaction. The number itself is kept for
 * the answer and erased with it at the next hourly clean-up. The hash on the suppression list stays.
 */
export function erasePerson(store: AlertStore, { id, numberKey }: Person, now: number): void {
  const { sql } = store;
  deleteRecordsOf(store, numberKey);
  sql.run`delete from alert_message where person = ${id}`;
  sql.run`delete from alert_watch where person = ${id}`;
  sql.run`delete from alert_own_answer where person = ${id}`;
  sql.run`update alert_person set erase_at = ${now + UNTIL_ANSWERED_MS} where id = ${id}`;
}

/**
 * Deletes a person at once, with everything that belongs to them, inside the caller's transaction. Calls to them must
 * have ended. The hash on the suppression list stays.
 */
export function deletePerson(store: AlertStore, { id, numberKey }: Person): void {
  deleteRecordsOf(store, numberKey);
  store.sql.run`delete from alert_person where id = ${id}`;
}

/** Deletes what is kept by the hash of a number alone, and by hashes made of it. */
export function deleteRecordsOf({ sql, keys }: AlertStore, numberKey: string): void {
  sql.run`delete from alert_consent where number_key = ${numberKey}`;
  sql.run`delete from alert_asked where number_key = ${numberKey}`;
  for (const key of [numberKey, ...replyKeys(keys, numberKey)])
    sql.run`delete from alert_sign_up_count where key = ${key}`;
}

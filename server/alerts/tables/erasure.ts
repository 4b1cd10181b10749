import { readNote, removeNote, writeNote } from '../../storage/notes.ts';
import { contactKeyOf } from '../keys/contact-key.ts';
import { replyKeys } from '../keys/reply-keys.ts';
import type { AlertStore } from './alert-store.ts';
import type { Contact } from './contacts.ts';

/** Tables with personal data, or with keys to it. */
export const PERSONAL_DATA_TABLES = [
  'alert_contact',
  'alert_consent',
  'alert_watch',
  'alert_message',
  'alert_attempt',
  'alert_asked',
  'alert_sign_up_count',
  'alert_own_answer',
  'alert_key',
];

/** How long the number of a person who asked for erasure is kept, to send our reply. */
const UNTIL_ANSWERED_MS = 60 * 60 * 1000;

export type Erasure =
  /** `isOverwritten`: false while a reader keeps deleted data in the journal. */
  | { kind: 'erased'; messages: number; watches: number; isOverwritten: boolean }
  | { kind: 'unknown' }
  | { kind: 'invalid' };

/**
 * Erases everything about a phone number or email address, in any spelling, and overwrites it in the store's
 * file and journal. The suppression list keeps the hash, so that a stopped number never gets another message.
 */
export function eraseNumber(store: AlertStore, text: string): Erasure {
  const { sql } = store;
  const erasure = store.transact((): Erasure => {
    const key = contactKeyOf(store.keys, text);
    if (key === null) return { kind: 'invalid' };
    markForOverwriting(store);
    deleteRecordsOf(store, key);
    const contact = sql.get`select id from alert_contact where contact_key = ${key}`?.id ?? null;
    if (contact === null) return { kind: 'unknown' };
    const counts = sql.get`select (select count(*) from alert_message where contact = ${contact}) as messages,
      (select count(*) from alert_watch where contact = ${contact}) as watches`;
    sql.run`delete from alert_contact where id = ${contact}`;
    return {
      kind: 'erased',
      messages: Number(counts?.messages),
      watches: Number(counts?.watches),
      isOverwritten: false,
    };
  });
  if (erasure.kind === 'invalid') return erasure;
  const isOverwritten = finishErasures(store);
  return erasure.kind === 'erased' ? { ...erasure, isOverwritten } : erasure;
}

/**
 * Erases everything about a person at their own request, inside the caller's transaction. Our reply still
 * needs the number, so a clean-up erases it later.
 */
export function eraseContact(store: AlertStore, { id, contactKey }: Contact, now: number): void {
  const { sql } = store;
  deleteRecordsOf(store, contactKey);
  sql.run`delete from alert_message where contact = ${id}`;
  sql.run`delete from alert_watch where contact = ${id}`;
  sql.run`delete from alert_own_answer where contact = ${id}`;
  sql.run`update alert_contact set erase_at = ${now + UNTIL_ANSWERED_MS} where id = ${id}`;
}

/** Deletes a person immediately, inside the caller's transaction. Calls to them must have ended. */
export function deleteContact(store: AlertStore, { id, contactKey }: Contact): void {
  markForOverwriting(store);
  deleteRecordsOf(store, contactKey);
  store.sql.run`delete from alert_contact where id = ${id}`;
}

/** Deletes records that refer to a contact only by its hash, or by a hash of that. */
function deleteRecordsOf({ sql, keys }: AlertStore, contactKey: string): void {
  sql.run`delete from alert_consent where contact_key = ${contactKey}`;
  sql.run`delete from alert_asked where contact_key = ${contactKey}`;
  for (const key of [contactKey, ...replyKeys(keys, contactKey)])
    sql.run`delete from alert_sign_up_count where key = ${key}`;
}

/** The note that deleted data still has to be overwritten. It survives restarts. */
const OVERWRITE_NOTE = 'alerts.overwrite';

/** Marks deleted data for overwriting, inside the caller's transaction; see `finishErasures`. */
export function markForOverwriting(store: AlertStore): void {
  writeNote(store, OVERWRITE_NOTE, 'due');
}

/** Overwrites erased data without waiting. False if a reader prevents it: call it again later. */
export function finishErasures(store: AlertStore): boolean {
  if (readNote(store, OVERWRITE_NOTE) === null) return true;
  if (!store.database.overwriteDeleted(PERSONAL_DATA_TABLES)) return false;
  removeNote(store, OVERWRITE_NOTE);
  return true;
}

import { readNote, removeNote, writeNote } from '../../storage/notes.ts';
import { contactKey } from '../keys/contact-key.ts';
import type { AlertStore } from './alert-store.ts';
import { deleteRecordsOf } from './erase-person.ts';

/** The tables that hold personal data, or keys to it. */
export const PERSONAL_DATA_TABLES = [
  'alert_person',
  'alert_consent',
  'alert_watch',
  'alert_message',
  'alert_attempt',
  'alert_asked',
  'alert_sign_up_count',
  'alert_own_answer',
  'alert_key',
];

export type Erasure =
  /** `isOverwritten`: false if a reader keeps the deleted data in the store's journal; see `finishErasures`. */
  | { kind: 'erased'; messages: number; watches: number; isOverwritten: boolean }
  | { kind: 'unknown' }
  | { kind: 'invalid' };

/**
 * Erases everything about a phone number or an email address, given in any spelling, and overwrites it in the store's
 * file and journal. Only the hash on the suppression list stays, so that a stopped number never gets another message.
 */
export function eraseNumber(store: AlertStore, text: string): Erasure {
  const { sql } = store;
  const erasure = store.transact((): Erasure => {
    const key = contactKey(store.keys, text);
    if (key === null) return { kind: 'invalid' };
    markForOverwriting(store);
    deleteRecordsOf(store, key);
    const person = sql.get`select id from alert_person where number_key = ${key}`?.id ?? null;
    if (person === null) return { kind: 'unknown' };
    const messages = sql.get`select count(*) as count from alert_message where person = ${person}`?.count;
    const watches = sql.get`select count(*) as count from alert_watch where person = ${person}`?.count;
    sql.run`delete from alert_person where id = ${person}`;
    return { kind: 'erased', messages: Number(messages), watches: Number(watches), isOverwritten: false };
  });
  if (erasure.kind === 'invalid') return erasure;
  const isOverwritten = finishErasures(store);
  return erasure.kind === 'erased' ? { ...erasure, isOverwritten } : erasure;
}

/** The note that erased data is still to be overwritten. It survives restarts. */
const OVERWRITE_NOTE = 'alerts.overwrite';

/** Notes that deleted data is to be overwritten, inside the caller's transaction; see `finishErasures`. */
export function markForOverwriting(store: AlertStore): void {
  writeNote(store, OVERWRITE_NOTE, 'due');
}

/**
 * Overwrites erased data, if there is any that could not be overwritten before. It waits for nobody: false if a reader
 * is in the way, and then it is called again later.
 */
export function finishErasures(store: AlertStore): boolean {
  if (readNote(store, OVERWRITE_NOTE) === null) return true;
  if (!store.database.overwriteDeleted(PERSONAL_DATA_TABLES)) return false;
  removeNote(store, OVERWRITE_NOTE);
  return true;
}

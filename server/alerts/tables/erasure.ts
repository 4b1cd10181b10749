import { readNote, removeNote, writeNote } from '../../storage/notes.ts';
import { contactKeyOf } from '../keys/contact-key.ts';
import { replyKey } from '../keys/key-ring.ts';
import type { AlertSession, AlertStore } from './alert-store.ts';
import type { Contact } from './contacts.ts';

/** Tables with personal data, or with keys to it. */
export const PERSONAL_DATA_TABLES = [
  'alert_contact',
  'alert_consent',
  'alert_watch',
  'alert_message',
  'alert_asked',
  'alert_sign_up_count',
  'alert_key',
];

export type Erasure =
  /** `isOverwritten`: false while a reader keeps deleted data in the journal. */
  | { kind: 'erased'; messages: number; watches: number; isOverwritten: boolean }
  | { kind: 'unknown' }
  | { kind: 'invalid' };

/**
 * Erases everything about a phone number or email address, in any spelling, and overwrites it in the store's
 * file and journal. The suppression list keeps the hash, so that a stopped number never gets another message.
 */
export async function eraseNumber(store: AlertStore, text: string): Promise<Erasure> {
  const erasure = await store.transact(async (tx): Promise<Erasure> => {
    const key = contactKeyOf(store.keys, text);
    if (key === null) return { kind: 'invalid' };
    const counts = await tx.sql.get<{ messages: number; watches: number }>`select
      (select count(*) from alert_message where contact = alert_contact.id) as messages,
      (select count(*) from alert_watch where contact = alert_contact.id) as watches from alert_contact where contact_key = ${key}`;
    await deleteContact(tx, { contactKey: key });
    return counts === undefined ? { kind: 'unknown' } : { kind: 'erased', ...counts, isOverwritten: false };
  });
  if (erasure.kind === 'invalid') return erasure;
  const isOverwritten = await finishErasures(store);
  return erasure.kind === 'erased' ? { ...erasure, isOverwritten } : erasure;
}

/** Deletes a person immediately, inside the caller's transaction. Calls to them must have ended. */
export async function deleteContact(
  store: AlertSession,
  { contactKey }: Pick<Contact, 'contactKey'>,
): Promise<void> {
  const { sql, keys } = store;
  await markForOverwriting(store);
  await sql.run`delete from alert_contact where contact_key = ${contactKey}`;
  await sql.run`delete from alert_consent where contact_key = ${contactKey}`;
  await sql.run`delete from alert_asked where contact_key = ${contactKey}`;
  const counts = (['all', 'nothing', 'stop'] as const).map((count) => replyKey(keys, contactKey, count));
  for (const key of [contactKey, ...counts])
    await sql.run`delete from alert_sign_up_count where key = ${key}`;
}

/** The note that deleted data still has to be overwritten. It survives restarts. */
const OVERWRITE_NOTE = 'alerts.overwrite';

/** Marks deleted data for overwriting, inside the caller's transaction; see `finishErasures`. */
export async function markForOverwriting(store: AlertSession): Promise<void> {
  await writeNote(store, OVERWRITE_NOTE, 'due');
}

/** Overwrites erased data without waiting. False if a reader prevents it: call it again later. */
export async function finishErasures(store: AlertStore): Promise<boolean> {
  if ((await readNote(store, OVERWRITE_NOTE)) === null) return true;
  if (!(await store.database.overwriteDeleted(PERSONAL_DATA_TABLES))) return false;
  await removeNote(store, OVERWRITE_NOTE);
  return true;
}

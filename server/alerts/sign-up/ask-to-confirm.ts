import { subjectOf } from '../matching/describe-search.ts';
import type { AlertSession } from '../tables/alert-store.ts';
import { recordConfirmationRequest } from '../tables/confirmation-requests.ts';
import type { Contact } from '../tables/contacts.ts';
import { queueMessage } from '../tables/messages.ts';
import { type Watch, watchesIn } from '../tables/watches.ts';
import { confirmText, type WatchedSubject } from '../texts/message-text.ts';

interface Asking {
  store: AlertSession;
  brandName: string;
}

/** Asks a contact to confirm, unless an earlier request is unanswered. */
export async function askToConfirm(
  { store, brandName }: Asking,
  contact: Contact,
  watch: Watch,
  subject: WatchedSubject,
  now: number,
): Promise<void> {
  if (!(await recordConfirmationRequest(store, contact, now))) return;
  const body = confirmText(brandName, subject);
  await queueMessage(store, { contact: contact.id, watch: watch.id, kind: 'confirm', body, now });
}

/** Asks a contact to confirm the watches that wait for it, if there are any. */
export async function askAboutUnconfirmed(asking: Asking, contact: Contact, now: number): Promise<void> {
  const [watch] = await watchesIn(asking.store, contact.id, 'asked', now);
  const subject = watch === undefined ? null : await subjectOf(asking.store, watch.itemKey, now);
  if (watch !== undefined && subject !== null) await askToConfirm(asking, contact, watch, subject, now);
}

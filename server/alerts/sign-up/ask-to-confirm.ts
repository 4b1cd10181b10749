import type { AlertSession } from '../tables/alert-store.ts';
import { recordConfirmationRequest } from '../tables/confirmation-requests.ts';
import type { Contact } from '../tables/contacts.ts';
import { queueMessage } from '../tables/messages.ts';
import type { PackageOnSale } from '../tables/package-lookup.ts';
import { type Watch, watchesIn } from '../tables/watches.ts';
import { confirmText } from '../texts/message-text.ts';

interface Asking {
  store: AlertSession;
  brandName: string;
}

/** Asks a contact to confirm, unless an earlier request is unanswered. */
export async function askToConfirm(
  { store, brandName }: Asking,
  contact: Contact,
  watch: Watch,
  watched: PackageOnSale,
  now: number,
): Promise<void> {
  if (!(await recordConfirmationRequest(store, contact, now))) return;
  const body = confirmText(brandName, watched);
  await queueMessage(store, { contact: contact.id, watch: watch.id, kind: 'confirm', body, now });
}

/** Asks a contact to confirm the watches that wait for it, if there are any. */
export async function askAboutUnconfirmed(asking: Asking, contact: Contact, now: number): Promise<void> {
  const [watch] = await watchesIn(asking.store, contact.id, 'asked', now);
  const watched = watch === undefined ? null : await asking.store.packages.find(watch.itemKey);
  if (watch !== undefined && watched !== null) await askToConfirm(asking, contact, watch, watched, now);
}

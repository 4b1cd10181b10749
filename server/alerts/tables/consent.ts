import { ALERT_CONSENTS } from '../../../domain/alert-signup.ts';
import type { AlertSession } from './alert-store.ts';
import type { Contact } from './contacts.ts';

type ConsentingContact = Pick<Contact, 'contactKey' | 'channel'>;

/** Records a sign-up for a holiday: in which words and when. */
export async function recordSignUp(
  store: AlertSession,
  contact: ConsentingContact,
  itemKey: string,
  now: number,
): Promise<void> {
  await record(store, contact, { act: 'signed up', itemKey, now });
}

/** Records that a watch was confirmed, unless the last record about its holiday is that. */
export async function recordConfirmed(
  store: AlertSession,
  contact: ConsentingContact,
  itemKey: string,
  now: number,
): Promise<void> {
  const last = await store.sql.get`select act from alert_consent
    where contact_key = ${contact.contactKey} and item_key = ${itemKey} order by id desc limit 1`;
  if (last?.act !== 'confirmed') await record(store, contact, { act: 'confirmed', itemKey, now });
}

/** Records a stop, unless the last record is one. */
export async function recordStop(
  store: AlertSession,
  contact: ConsentingContact,
  now: number,
): Promise<void> {
  const last = await store.sql.get`select act from alert_consent where contact_key = ${contact.contactKey}
    order by id desc limit 1`;
  if (last?.act !== 'stopped') await record(store, contact, { act: 'stopped', itemKey: null, now });
}

async function record(
  { sql }: AlertSession,
  { contactKey, channel }: ConsentingContact,
  { act, itemKey, now }: { act: 'signed up' | 'confirmed' | 'stopped'; itemKey: string | null; now: number },
): Promise<void> {
  const { version, wording } = ALERT_CONSENTS[channel];
  await sql.run`insert into alert_consent (contact_key, channel, act, item_key, wording_version, wording, at)
    values (${contactKey}, ${channel}, ${act}, ${itemKey}, ${version}, ${wording}, ${now})`;
}

import { ALERT_CONSENTS } from '../../../domain/alert-signup.ts';
import type { AlertSession } from './alert-store.ts';
import type { Contact } from './contacts.ts';

/** Records in which words and when a person signed up, confirmed or stopped. Skips repeated confirmations and stops. */
export async function recordConsent(
  { sql }: AlertSession,
  { contactKey, channel }: Pick<Contact, 'contactKey' | 'channel'>,
  act: 'signed up' | 'confirmed' | 'stopped',
  itemKey: string | null,
  now: number,
): Promise<void> {
  if (act !== 'signed up') {
    const last = await sql.get`select act from alert_consent
      where contact_key = ${contactKey} and coalesce(item_key, '') = coalesce(${itemKey}, item_key, '') order by id desc limit 1`;
    if (last?.act === act) return;
  }
  const { version, wording } = ALERT_CONSENTS[channel];
  await sql.run`insert into alert_consent (contact_key, channel, act, item_key, wording_version, wording, at)
    values (${contactKey}, ${channel}, ${act}, ${itemKey}, ${version}, ${wording}, ${now})`;
}

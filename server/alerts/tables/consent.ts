import { ALERT_CONSENTS } from '../../../domain/alert-signup.ts';
import type { AlertStore } from './alert-store.ts';
import type { Contact } from './contacts.ts';

/** Records what a person agreed to or ended, in which words and when. */
export function recordConsent(
  { sql }: AlertStore,
  consent: {
    contact: Pick<Contact, 'contactKey' | 'channel'>;
    act: 'signed up' | 'confirmed' | 'stopped';
    itemKey: string | null;
    now: number;
  },
): void {
  const { contactKey, channel } = consent.contact;
  const { version, wording } = ALERT_CONSENTS[channel];
  sql.run`insert into alert_consent (contact_key, channel, act, item_key, wording_version, wording, at)
    values (${contactKey}, ${channel}, ${consent.act}, ${consent.itemKey}, ${version}, ${wording}, ${consent.now})`;
}

/** Records a stop, unless the last record is one. */
export function recordStop(
  store: AlertStore,
  contact: Pick<Contact, 'contactKey' | 'channel'>,
  now: number,
): void {
  const last = store.sql.get`select act from alert_consent where contact_key = ${contact.contactKey}
    order by id desc limit 1`;
  if (last?.act !== 'stopped') recordConsent(store, { contact, act: 'stopped', itemKey: null, now });
}

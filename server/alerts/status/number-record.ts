import { contactKeyOf } from '../keys/contact-key.ts';
import type { AlertStore } from '../tables/alert-store.ts';
import { contactByKey } from '../tables/contacts.ts';

/** Everything stored about a number or email address, in any spelling; null if the text is neither. */
export function numberRecord(store: AlertStore, text: string) {
  const { sql, keys } = store;
  const key = contactKeyOf(keys, text);
  if (key === null) return null;
  const contact = contactByKey(store, key)?.id ?? null;
  return {
    isStopped: sql.get`select 1 from alert_suppression where key = ${key}` !== undefined,
    consents: sql.all`select act, item_key, wording_version, wording, at from alert_consent
      where contact_key = ${key} order by id`,
    watches: sql.all`select number, item_key, state, created_at, ended_at from alert_watch
      where contact = ${contact} order by number`,
    messages: sql.all`select id, kind, channel, state, reason, tries, created_at, settled_at, body from alert_message
      where contact = ${contact} order by id`,
    acts: sql.all`select at, act, who, why from alert_audit where contact_key = ${key} order by id`,
  };
}

import { contactKey } from '../keys/contact-key.ts';
import type { AlertStore } from '../tables/alert-store.ts';
import { personByKey } from '../tables/people.ts';

/**
 * Everything that is kept about a number or an email address, given in any spelling; null if it is neither. The record
 * contains neither.
 */
export function numberRecord(store: AlertStore, text: string) {
  const { sql, keys } = store;
  const key = contactKey(keys, text);
  if (key === null) return null;
  const person = personByKey(store, key)?.id ?? null;
  return {
    isStopped: sql.get`select 1 from alert_suppression where key = ${key}` !== undefined,
    consents: sql.all`select act, item_key, wording_version, wording, at from alert_consent
      where number_key = ${key} order by id`,
    watches: sql.all`select number, item_key, state, created_at, ended_at from alert_watch
      where person = ${person} order by number`,
    messages: sql.all`select id, kind, channel, state, reason, tries, created_at, settled_at, body from alert_message
      where person = ${person} order by id`,
    /** Operators' earlier acts on the number. */
    acts: sql.all`select at, act, who, why from alert_audit where number_key = ${key} order by id`,
  };
}

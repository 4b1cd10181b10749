import { ALERT_CONSENTS } from '../../../domain/alert-signup.ts';
import type { AlertStore } from './alert-store.ts';
import type { Person } from './people.ts';

/** Records what a person agreed to or ended, in which words, and when (ruling 13). */
export function recordConsent(
  { sql }: AlertStore,
  consent: {
    person: Pick<Person, 'numberKey' | 'channel'>;
    act: 'signed up' | 'confirmed' | 'stopped';
    itemKey: string | null;
    now: number;
  },
): void {
  const { numberKey, channel } = consent.person;
  const { version, wording } = ALERT_CONSENTS[channel];
  sql.run`insert into alert_consent (number_key, channel, act, item_key, wording_version, wording, at)
    values (${numberKey}, ${channel}, ${consent.act}, ${consent.itemKey}, ${version}, ${wording}, ${consent.now})`;
}

/**
 * Records that a person has stopped, unless that is what was recorded last: since then they have agreed to nothing that
 * this could end. Whoever stops again, or stops and starts in turn, adds nothing. Sign-ups are limited, so these records
 * are too.
 */
export function recordStop(
  store: AlertStore,
  person: Pick<Person, 'numberKey' | 'channel'>,
  now: number,
): void {
  const last = store.sql.get`select act from alert_consent where number_key = ${person.numberKey}
    order by id desc limit 1`;
  if (last?.act !== 'stopped') recordConsent(store, { person, act: 'stopped', itemKey: null, now });
}

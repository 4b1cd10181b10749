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

import { ALERT_CONSENT } from '../../../domain/alert-signup.ts';
import type { AlertStore } from './alert-store.ts';

/** Records what a number agreed to or ended, in which words, and when (ruling 13). */
export function recordConsent(
  { sql }: AlertStore,
  consent: {
    numberKey: string;
    act: 'signed up' | 'confirmed' | 'stopped';
    itemKey: string | null;
    now: number;
  },
): void {
  sql.run`insert into alert_consent (number_key, act, item_key, wording_version, wording, at)
    values (${consent.numberKey}, ${consent.act}, ${consent.itemKey}, ${ALERT_CONSENT.version},
      ${ALERT_CONSENT.wording}, ${consent.now})`;
}

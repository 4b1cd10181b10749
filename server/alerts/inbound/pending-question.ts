import type { AlertStore } from '../tables/alert-store.ts';
import type { Person } from '../tables/people.ts';

/** How long 'yes' and 'no' answer the question whether all alerts should stop, in milliseconds. */
const ANSWERED_WITHIN_MS = 24 * 60 * 60 * 1000;

/** Records that a person was asked whether all alerts should stop. */
export function askedStopQuestion({ sql }: AlertStore, { id }: Person, now: number): void {
  sql.run`update alert_person set asked_stop_at = ${now} where id = ${id}`;
}

/** Whether a message answers that question. Every message does, once. */
export function answeredStopQuestion({ sql }: AlertStore, { id }: Person, now: number): boolean {
  const asked = sql.get`select asked_stop_at from alert_person where id = ${id}`?.asked_stop_at;
  if (typeof asked !== 'number') return false;
  sql.run`update alert_person set asked_stop_at = null where id = ${id}`;
  return asked > now - ANSWERED_WITHIN_MS;
}

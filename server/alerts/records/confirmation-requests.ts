import type { AlertStore } from './alert-store.ts';

/** Records that a number is asked to confirm; false if an earlier request is still unanswered. */
export function recordConfirmationRequest({ sql }: AlertStore, numberKey: string, now: number): boolean {
  const noted = sql.get`insert into alert_asked (number_key, at) values (${numberKey}, ${now})
    on conflict (number_key) do nothing returning number_key`;
  return noted !== undefined;
}

/** Allows a new request: the person has answered, or certainly never got the last one. */
export function deleteConfirmationRequest({ sql }: AlertStore, person: number): void {
  sql.run`delete from alert_asked
    where number_key = (select number_key from alert_person where id = ${person})`;
}

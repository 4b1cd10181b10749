import type { AlertStore } from './alert-store.ts';

/** Notes that a number is asked to confirm; false where it was asked before and has not answered. */
export function recordConfirmationRequest({ sql }: AlertStore, numberKey: string, now: number): boolean {
  const noted = sql.get`insert into alert_asked (number_key, at) values (${numberKey}, ${now})
    on conflict (number_key) do nothing returning number_key`;
  return noted !== undefined;
}

/** The person has answered, or certainly never saw the question: they may be asked again. */
export function deleteConfirmationRequest({ sql }: AlertStore, person: number): void {
  sql.run`delete from alert_asked
    where number_key = (select number_key from alert_person where id = ${person})`;
}

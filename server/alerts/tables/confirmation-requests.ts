import { LINK_DAYS } from '../keys/signed-link.ts';
import type { AlertStore } from './alert-store.ts';
import type { Person } from './people.ts';

const CONFIRM_LINK_MS = LINK_DAYS.confirm * 24 * 60 * 60 * 1000;

/** After this, an unknown outcome has had its time: a new sign-up is asked again. In milliseconds. */
const UNKNOWN_FOR_MS = 15 * 60 * 1000;

/**
 * Records that a contact is asked to confirm; false if an earlier request went out and is unanswered, or is about to go
 * out. An email address is asked once more after its link has expired; `went_out` is 2 then.
 */
export function recordConfirmationRequest(
  store: AlertStore,
  { numberKey, channel }: Pick<Person, 'numberKey' | 'channel'>,
  now: number,
): boolean {
  const { sql } = store;
  const asked = sql.get`select went_out, at from alert_asked where number_key = ${numberKey}`;
  if (channel === 'email' && asked?.went_out === 1 && Number(asked.at) <= now - CONFIRM_LINK_MS) {
    sql.run`update alert_asked set went_out = 2, at = ${now} where number_key = ${numberKey}`;
    return true;
  }
  if (asked !== undefined && asked.went_out !== 0) return false;
  if (asked !== undefined && isOnItsWay(store, numberKey, now)) return false;
  sql.run`insert into alert_asked (number_key, at, went_out) values (${numberKey}, ${now}, 0)
    on conflict (number_key) do update set at = excluded.at`;
  return true;
}

function isOnItsWay({ sql }: AlertStore, numberKey: string, now: number): boolean {
  const since = now - UNKNOWN_FOR_MS;
  const found = sql.get`select 1 from alert_message join alert_person on alert_person.id = alert_message.person
    where number_key = ${numberKey} and kind = 'confirm'
      and (state in ('queued', 'sending') or (state = 'unknown' and settled_at > ${since}))`;
  return found !== undefined;
}

/** An attempt was accepted: if it is a confirmation request, the number is not asked again. */
export function recordConfirmationSent({ sql }: AlertStore, attempt: number, now: number): void {
  sql.run`update alert_asked set went_out = 1, at = ${now} where went_out = 0 and number_key = (
    select number_key from alert_attempt join alert_message on alert_message.id = alert_attempt.message
      join alert_person on alert_person.id = alert_message.person
    where alert_attempt.id = ${attempt} and kind = 'confirm')`;
}

/** Allows a new request: the person has answered, or certainly never got the last one. */
export function deleteConfirmationRequest({ sql }: AlertStore, person: number): void {
  sql.run`delete from alert_asked
    where number_key = (select number_key from alert_person where id = ${person})`;
}

/** A failed request is sent again: once it is accepted, it counts. */
export function awaitConfirmation({ sql }: AlertStore, person: number, now: number): void {
  sql.run`insert into alert_asked (number_key, at, went_out)
    select number_key, ${now}, 0 from alert_person where id = ${person} on conflict (number_key) do nothing`;
}

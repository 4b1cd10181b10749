import type { AlertStore } from './alert-store.ts';
import type { Person } from './people.ts';
import type { Sender } from './sender.ts';

/** The keyed hashes of a person's names. */
type Names = Pick<Person, 'numberKey' | 'userKey'>;

/** Whether a person is on the suppression list. */
export function isSuppressed({ sql }: AlertStore, { numberKey, userKey }: Names): boolean {
  const found = sql.get`select 1 from alert_suppression where key = ${numberKey} or key = ${userKey}`;
  return found !== undefined;
}

/**
 * Adds the hashes of every known name of a person to the list. `at` is the time of the STOP itself. Returns false, and
 * changes nothing, if a START is later than that.
 */
export function suppress(store: AlertStore, sender: Sender, person: Names | null, at: number): boolean {
  const { sql } = store;
  const names = keysOf(store, sender, person);
  for (const key of names) {
    const started = sql.get`select 1 from alert_start where key = ${key} and at > ${at}`;
    if (started !== undefined) return false;
  }
  for (const key of names) {
    sql.run`insert into alert_suppression (key, at) values (${key}, ${at}) on conflict (key) do update
      set at = excluded.at where alert_suppression.at < excluded.at`;
  }
  return true;
}

/**
 * Removes a person from the list, at their request, if every STOP is earlier than the request. `at` is the time of the
 * START itself.
 */
export function liftSuppression(store: AlertStore, sender: Sender, person: Names | null, at: number): void {
  const { sql } = store;
  const names = keysOf(store, sender, person);
  for (const key of names) {
    sql.run`insert into alert_start (key, at) values (${key}, ${at}) on conflict (key) do update
      set at = excluded.at where alert_start.at < excluded.at`;
  }
  for (const key of names) {
    if (sql.get`select 1 from alert_suppression where key = ${key} and at >= ${at}` !== undefined) return;
  }
  for (const key of names) sql.run`delete from alert_suppression where key = ${key}`;
}

function keysOf({ keys }: AlertStore, { number, userId }: Sender, person: Names | null): Set<string> {
  const names = [
    number === null ? null : keys.keyFor('number', number),
    userId === null ? null : keys.keyFor('user', userId),
    person?.numberKey ?? null,
    person?.userKey ?? null,
  ];
  return new Set(names.filter((name) => name !== null));
}

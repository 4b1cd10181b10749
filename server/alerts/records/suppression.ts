import type { AlertStore } from './alert-store.ts';
import type { Person } from './people.ts';
import type { Sender } from './sender.ts';

/** Whether a person is on the suppression list. */
export function isSuppressed({ sql }: AlertStore, { numberKey, userKey }: Person): boolean {
  const found = sql.get`select 1 from alert_suppression where key = ${numberKey} or key = ${userKey}`;
  return found !== undefined;
}

/** Adds the hashes of every known name of a person to the list. */
export function suppress(store: AlertStore, sender: Sender, person: Person | null, now: number): void {
  for (const key of keysOf(store, sender, person)) {
    store.sql
      .run`insert into alert_suppression (key, at) values (${key}, ${now}) on conflict (key) do nothing`;
  }
}

/** Removes a person from the list, at their request. */
export function liftSuppression(store: AlertStore, sender: Sender, person: Person | null): void {
  for (const key of keysOf(store, sender, person)) {
    store.sql.run`delete from alert_suppression where key = ${key}`;
  }
}

function keysOf({ keys }: AlertStore, { number, userId }: Sender, person: Person | null): Set<string> {
  const names = [
    number === null ? null : keys.hash('number', number),
    userId === null ? null : keys.hash('user', userId),
    person?.numberKey ?? null,
    person?.userKey ?? null,
  ];
  return new Set(names.filter((name) => name !== null));
}

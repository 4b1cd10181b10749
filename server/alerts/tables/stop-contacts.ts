import type { AlertStore } from './alert-store.ts';
import { contactsOfOwner, type Person } from './people.ts';
import { stopPerson } from './stop-person.ts';
import type { StopScope } from './stop-scope.ts';

const NOBODY = { number: null, userId: null };

/**
 * Stops what a person chose, inside the caller's transaction: watches, their contact on one channel, or every contact of
 * theirs. Returns the people whose calls have to end before the stop is acknowledged.
 */
export function stopContacts(store: AlertStore, person: Person, scope: StopScope, now: number): number[] {
  const stopped = scope.kind === 'everything' ? [person, ...contactsOfOwner(store, person)] : [person];
  return stopped
    .filter((contact) => stopPerson(store, NOBODY, contact, { scope, at: now, now }))
    .map(({ id }) => id);
}

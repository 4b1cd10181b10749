import type { AlertStore } from './alert-store.ts';
import { recordConsent } from './consent.ts';
import { dropQueuedMessages } from './messages.ts';
import type { Person } from './people.ts';
import type { Sender } from './sender.ts';
import { suppress } from './suppression.ts';
import { endWatches } from './watches.ts';

/** Stops a person, inside the caller's transaction: suppresses them, ends their watches, drops queued messages. */
export function stopPerson(store: AlertStore, sender: Sender, person: Person, now: number): void {
  suppress(store, sender, person, now);
  endWatches(store, person.id, now);
  dropQueuedMessages(store, person.id, 'stopped', now);
  recordConsent(store, { numberKey: person.numberKey, act: 'stopped', itemKey: null, now });
}

import type { AlertStore } from './alert-store.ts';
import { recordStop } from './consent.ts';
import { dropQueuedMessages } from './messages.ts';
import type { Person } from './people.ts';
import type { Sender } from './sender.ts';
import type { StopScope } from './stop-scope.ts';
import { isSuppressed, suppress } from './suppression.ts';
import { endWatch, endWatches } from './watches.ts';

/**
 * Stops a person, inside the caller's transaction. A stop of the channel or of everything suppresses them, ends their
 * watches and drops queued messages. `at` is the time of the STOP itself, and `now` that of its processing. Returns
 * false, and changes nothing, if the person has sent START since. Of a stop that comes again, only its time is kept.
 */
export function stopPerson(
  store: AlertStore,
  sender: Sender,
  person: Person,
  { scope, at, now }: { scope: StopScope; at: number; now: number },
): boolean {
  if (scope.kind === 'watches') {
    for (const watch of scope.watches) endWatch(store, watch, now);
    return true;
  }
  // A person here is one contact, so the end of its channel is the end of everything to it.
  const wasStopped = isSuppressed(store, person);
  if (!suppress(store, sender, person, at)) return false;
  const ended = endWatches(store, person.id, now);
  dropQueuedMessages(store, person.id, 'stopped', now);
  // What a stopped person has signed up for since waits for START: this ends it.
  if (!wasStopped || ended > 0) recordStop(store, person, now);
  return true;
}

import type { AlertStore } from './alert-store.ts';
import { recordStop } from './consent.ts';
import { type Contact, contactsOfOwner } from './contacts.ts';
import { dropQueuedMessages } from './messages.ts';
import { NO_SENDER, type Sender } from './sender.ts';
import { endWatches } from './watches.ts';

type Names = Pick<Contact, 'contactKey' | 'userKey'>;

/** When a STOP was sent and processed, and who sent it if it was a message. */
interface Stop {
  at: number;
  now: number;
  sender?: Sender;
}

/**
 * Suppresses a person, ends their watches and drops their queued messages, inside the caller's transaction.
 * Returns false, and changes nothing, if the person has sent START since. A repeated stop only updates its
 * time.
 */
export function stopContact(
  store: AlertStore,
  contact: Contact,
  { at, now, sender = NO_SENDER }: Stop,
): boolean {
  const wasStopped = isSuppressed(store, contact);
  if (!suppress(store, sender, contact, at)) return false;
  const ended = endWatches(store, contact.id, now);
  dropQueuedMessages(store, contact.id, 'stopped', now);
  // A stopped person may have signed up again. The new watch waits for START, and this stop ends that watch.
  if (!wasStopped || ended > 0) recordStop(store, contact, now);
  return true;
}

/** Stops messages to a contact now. Returns the person if their running calls must end. */
export function stopChannel(store: AlertStore, contact: Contact, now: number): number[] {
  return stopContact(store, contact, { at: now, now }) ? [contact.id] : [];
}

/** Stops messages to all of a person's contacts. Returns those whose running calls must end. */
export function stopEverything(store: AlertStore, contact: Contact, now: number): number[] {
  return [contact, ...contactsOfOwner(store, contact)].flatMap((one) => stopChannel(store, one, now));
}

export function isSuppressed({ sql }: AlertStore, { contactKey, userKey }: Names): boolean {
  const found = sql.get`select 1 from alert_suppression where key = ${contactKey} or key = ${userKey}`;
  return found !== undefined;
}

/**
 * Adds all known keys of a contact to the suppression list. `at` is when the STOP was sent. Returns false,
 * and changes nothing, if a START is later.
 */
export function suppress(store: AlertStore, sender: Sender, contact: Names | null, at: number): boolean {
  const { sql } = store;
  const names = keysOf(store, sender, contact);
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

/** Ends a contact's suppression, unless a STOP was sent at or after `at`, when their START was sent. */
export function liftSuppression(store: AlertStore, sender: Sender, contact: Names | null, at: number): void {
  const { sql } = store;
  const names = keysOf(store, sender, contact);
  for (const key of names) {
    sql.run`insert into alert_start (key, at) values (${key}, ${at}) on conflict (key) do update
      set at = excluded.at where alert_start.at < excluded.at`;
  }
  for (const key of names) {
    if (sql.get`select 1 from alert_suppression where key = ${key} and at >= ${at}` !== undefined) return;
  }
  for (const key of names) sql.run`delete from alert_suppression where key = ${key}`;
}

function keysOf({ keys }: AlertStore, { number, userId }: Sender, contact: Names | null): Set<string> {
  const names = [
    number === null ? null : keys.keyFor('number', number),
    userId === null ? null : keys.keyFor('user', userId),
    contact?.contactKey ?? null,
    contact?.userKey ?? null,
  ];
  return new Set(names.filter((name) => name !== null));
}

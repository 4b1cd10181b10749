import { mapInOrder } from '../../lib/map-in-order.ts';
import type { AlertSession } from './alert-store.ts';
import { recordConsent } from './consent.ts';
import { type Contact, contactsOfOwner } from './contacts.ts';
import { dropQueuedMessages } from './messages.ts';
import { NO_SENDER, type Sender } from './sender.ts';
import { pauseWatches, resumeWatches } from './watches.ts';

type Names = Pick<Contact, 'contactKey' | 'userKey'>;

/** When a STOP or START was sent and processed, and who sent it if it was a message. */
interface Stop {
  at: number;
  now: number;
  sender?: Sender;
}

/**
 * Suppresses a person, pauses their watches and drops their queued messages, inside the caller's transaction.
 * Returns false, and changes nothing, if the person has sent START since.
 */
export async function stopContact(
  store: AlertSession,
  contact: Contact,
  { at, now, sender = NO_SENDER }: Stop,
): Promise<boolean> {
  if (!(await suppress(store, sender, contact, at))) return false;
  await pauseWatches(store, contact.id);
  await dropQueuedMessages(store, contact.id, 'stopped', now);
  await recordConsent(store, contact, 'stopped', null, now);
  return true;
}

/** Lifts a person's stop and brings their watches back. Returns false if a STOP is as late as this START. */
export async function startContact(
  store: AlertSession,
  contact: Contact,
  { at, now, sender = NO_SENDER }: Stop,
): Promise<boolean> {
  if (!(await liftSuppression(store, sender, contact, at))) return false;
  await resumeWatches(store, contact.id, now);
  return true;
}

/** Stops messages to a contact now. Returns the person if their running calls must end. */
export async function stopChannel(store: AlertSession, contact: Contact, now: number): Promise<number[]> {
  return (await stopContact(store, contact, { at: now, now })) ? [contact.id] : [];
}

/** Stops messages to all of a person's contacts. Returns those whose running calls must end. */
export async function stopEverything(store: AlertSession, contact: Contact, now: number): Promise<number[]> {
  const contacts = [contact, ...(await contactsOfOwner(store, contact))];
  return (await mapInOrder(contacts, (one) => stopChannel(store, one, now))).flat();
}

export async function isSuppressed({ sql }: AlertSession, { contactKey, userKey }: Names): Promise<boolean> {
  const found = await sql.get`select 1 from alert_suppression where key = ${contactKey} or key = ${userKey}`;
  return found !== undefined;
}

/**
 * Adds all known keys of a contact to the suppression list. `at` is when the STOP was sent. Returns false,
 * and changes nothing, if a START is later.
 */
export async function suppress(
  store: AlertSession,
  sender: Sender,
  contact: Names | null,
  at: number,
): Promise<boolean> {
  const { sql } = store;
  const names = keysOf(store, sender, contact);
  for (const key of names) {
    const started = await sql.get`select 1 from alert_start where key = ${key} and at > ${at}`;
    if (started !== undefined) return false;
  }
  for (const key of names) {
    await sql.run`insert into alert_suppression (key, at) values (${key}, ${at}) on conflict (key) do update
      set at = excluded.at where alert_suppression.at < excluded.at`;
  }
  return true;
}

/** Ends a suppression. Returns false if a STOP was sent at or after `at`, when the START was sent. */
export async function liftSuppression(
  store: AlertSession,
  sender: Sender,
  contact: Names | null,
  at: number,
): Promise<boolean> {
  const { sql } = store;
  const names = keysOf(store, sender, contact);
  for (const key of names) {
    await sql.run`insert into alert_start (key, at) values (${key}, ${at}) on conflict (key) do update
      set at = excluded.at where alert_start.at < excluded.at`;
  }
  for (const key of names) {
    if ((await sql.get`select 1 from alert_suppression where key = ${key} and at >= ${at}`) !== undefined)
      return false;
  }
  for (const key of names) await sql.run`delete from alert_suppression where key = ${key}`;
  return true;
}

function keysOf({ keys }: AlertSession, { number, userId }: Sender, contact: Names | null): Set<string> {
  const names = [
    number === null ? null : keys.keyFor('number', number),
    userId === null ? null : keys.keyFor('user', userId),
    contact?.contactKey ?? null,
    contact?.userKey ?? null,
  ];
  return new Set(names.filter((name) => name !== null));
}

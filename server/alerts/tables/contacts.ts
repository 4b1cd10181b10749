import type { AlertSession } from './alert-store.ts';
import type { Sender } from './sender.ts';

export type Channel = (typeof CHANNELS)[number];

export const CHANNELS = ['whatsapp', 'email', 'push', 'ntfy'] as const;

/**
 * A person on one channel, identified by keyed hashes: of the number, email address or push subscription, and
 * of the provider's user ID once that is known.
 */
export interface Contact {
  id: number;
  contactKey: string;
  userKey: string | null;
  channel: Channel;
  /** Milliseconds since 1970. */
  createdAt: number;
}

export interface ContactDetails {
  channel: Channel;
  key: string;
  /** A canonical number, an email address, a subscription as JSON, or an ntfy topic. */
  address: string;
}

/** Finds or adds the person with a contact. A newer subscription's keys replace the old ones. */
export async function findOrAddContact(
  { sql, keys }: AlertSession,
  { channel, key, address }: ContactDetails,
  now: number,
): Promise<Contact> {
  await sql.run`insert into alert_contact (contact_key, contact_sealed, channel, created_at)
    values (${key}, ${keys.seal(address)}, ${channel}, ${now})
    on conflict (contact_key) do update set contact_sealed = excluded.contact_sealed, erase_at = null`;
  const found = await contactByKey({ sql }, key);
  if (found === null) throw new Error('A contact that was just inserted is missing');
  return found;
}

/** Cancels a scheduled deletion, after a new sign-up or START. */
export async function keepContact({ sql }: AlertSession, id: number): Promise<void> {
  await sql.run`update alert_contact set erase_at = null where id = ${id} and erase_at is not null`;
}

export async function contactByKey({ sql }: Pick<AlertSession, 'sql'>, key: string): Promise<Contact | null> {
  const [found] = await sql.all<Row>`select * from alert_contact where contact_key = ${key}`;
  return found === undefined ? null : contactOf(found);
}

export async function contactById({ sql }: AlertSession, id: number): Promise<Contact | null> {
  const [found] = await sql.all<Row>`select * from alert_contact where id = ${id}`;
  return found === undefined ? null : contactOf(found);
}

export async function newestContacts({ sql }: AlertSession, most: number): Promise<Contact[]> {
  return (await sql.all<Row>`select * from alert_contact order by id desc limit ${most}`).map(contactOf);
}

/** Finds a sender by number, or else by user ID; null if neither is known. */
export async function findContact(
  { sql, keys }: AlertSession,
  { number, userId }: Sender,
): Promise<Contact | null> {
  const named = number === null ? null : await contactByKey({ sql }, keys.keyFor('number', number));
  if (named !== null || userId === null) return named;
  const [found] =
    await sql.all<Row>`select * from alert_contact where user_key = ${keys.keyFor('user', userId)}`;
  return found === undefined ? null : contactOf(found);
}

interface Row {
  id: number;
  contact_key: string;
  user_key: string | null;
  channel: Channel;
  created_at: number;
}

function contactOf({ id, contact_key, user_key, channel, created_at }: Row): Contact {
  return { id, contactKey: contact_key, userKey: user_key, channel, createdAt: created_at };
}

/** Records the owner by the browser's random ID. The first owner stays: others cannot claim the contact. */
export async function recordOwner(
  { sql, keys }: AlertSession,
  { id }: Contact,
  owner: string,
): Promise<void> {
  await sql.run`update alert_contact set owner_key = ${keys.keyFor('owner', owner)} where id = ${id} and owner_key is null`;
}

/** The owner's other contacts. Contacts that were never confirmed have no owner yet. */
export async function contactsOfOwner({ sql }: AlertSession, { id }: Contact): Promise<Contact[]> {
  const rows = await sql.all<Row>`select * from alert_contact
    where id <> ${id} and owner_key = (select owner_key from alert_contact where id = ${id})
      and exists (select 1 from alert_watch where contact = alert_contact.id and started is not null)`;
  return rows.map(contactOf);
}

/** Records a person's user ID, by which to find them if a message has no number. */
export async function recordUserId(
  { sql, keys }: AlertSession,
  contact: Contact,
  userId: string,
): Promise<void> {
  const key = keys.keyFor('user', userId);
  if (contact.userKey === key) return;
  await sql.run`update alert_contact set user_key = null where user_key = ${key}`;
  await sql.run`update alert_contact set user_key = ${key} where id = ${contact.id}`;
}

/** Records when a person last wrote, by the message's own time. */
export async function recordWriting({ sql }: AlertSession, { id }: Contact, at: number): Promise<void> {
  await sql.run`update alert_contact set wrote_at = ${at} where id = ${id} and coalesce(wrote_at, 0) < ${at}`;
}

/** The number, email address or push subscription of a person, decrypted. */
export async function decryptContact({ sql, keys }: AlertSession, contactId: number): Promise<string> {
  const sealed = (await sql.get`select contact_sealed from alert_contact where id = ${contactId}`)
    ?.contact_sealed;
  if (!(sealed instanceof Uint8Array)) throw new Error('A contact has no address');
  return keys.open(sealed);
}

export async function eraseAt({ sql }: AlertSession, contactId: number, at: number): Promise<void> {
  await sql.run`update alert_contact set erase_at = ${at} where id = ${contactId}`;
}

export async function isToBeErased({ sql }: AlertSession, contactId: number): Promise<boolean> {
  return (
    (await sql.get`select 1 from alert_contact where id = ${contactId} and erase_at is not null`) !==
    undefined
  );
}

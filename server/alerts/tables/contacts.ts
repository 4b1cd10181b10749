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
  store: AlertSession,
  { channel, key, address }: ContactDetails,
  now: number,
): Promise<Contact> {
  const { sql, keys } = store;
  await sql.run`insert into alert_contact (contact_key, contact_sealed, channel, created_at)
    values (${key}, ${keys.seal(address)}, ${channel}, ${now})
    on conflict (contact_key) do update set contact_sealed = excluded.contact_sealed, erase_at = null`;
  const found = await contactByKey(store, key);
  if (found === null) throw new Error('A contact that was just inserted is missing');
  return found;
}

/** Cancels a scheduled deletion, after a new sign-up or START. */
export async function keepContact({ sql }: AlertSession, id: number): Promise<void> {
  await sql.run`update alert_contact set erase_at = null where id = ${id} and erase_at is not null`;
}

type Session = Pick<AlertSession, 'session'>;

async function contactsWhere(
  { session }: Session,
  condition: string,
  ...values: (number | string)[]
): Promise<Contact[]> {
  const found = session.prepare(`select id, contact_key as "contactKey", user_key as "userKey", channel,
    created_at as "createdAt" from alert_contact where ${condition}`);
  return (await found.all(...values)) as unknown as Contact[];
}

export async function contactByKey(store: Session, key: string): Promise<Contact | null> {
  return (await contactsWhere(store, 'contact_key = ?', key))[0] ?? null;
}

export async function contactById(store: Session, id: number): Promise<Contact | null> {
  return (await contactsWhere(store, 'id = ?', id))[0] ?? null;
}

export async function newestContacts(store: Session, most: number): Promise<Contact[]> {
  return contactsWhere(store, 'true order by id desc limit ?', most);
}

/** Finds a sender by number, or else by user ID; null if neither is known. */
export async function findContact(store: AlertSession, { number, userId }: Sender): Promise<Contact | null> {
  const named = number === null ? null : await contactByKey(store, store.keys.keyFor('number', number));
  if (named !== null || userId === null) return named;
  return (await contactsWhere(store, 'user_key = ?', store.keys.keyFor('user', userId)))[0] ?? null;
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
export async function contactsOfOwner(store: Session, { id }: Contact): Promise<Contact[]> {
  return contactsWhere(
    store,
    `id <> ? and owner_key = (select owner_key from alert_contact where id = ?)
      and exists (select 1 from alert_watch where contact = alert_contact.id and started is not null)`,
    id,
    id,
  );
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

import * as v from 'valibot';
import type { AlertStore } from './alert-store.ts';
import type { Sender } from './sender.ts';
import { CHANNELS, type Channel } from './stop-scope.ts';

/**
 * A person who signed up, as one contact: identified by a keyed hash of the number, email address or push subscription,
 * and of the provider's user ID once known.
 */
export interface Person {
  id: number;
  numberKey: string;
  userKey: string | null;
  channel: Channel;
  /** Milliseconds since 1970. */
  createdAt: number;
}

/** A phone number, an email address or a push subscription. */
export interface Contact {
  channel: Channel;
  /** Its keyed hash. */
  key: string;
  /** A canonical number, an address, or a subscription as JSON. */
  address: string;
}

const row = v.object({
  id: v.number(),
  number_key: v.string(),
  user_key: v.nullable(v.string()),
  channel: v.picklist(CHANNELS),
  created_at: v.number(),
});

/** The person with a contact, added if unknown. A newer subscription's keys replace the old ones. */
export function findOrAddPerson(
  { sql, keys }: AlertStore,
  { channel, key, address }: Contact,
  now: number,
): Person {
  sql.run`insert into alert_person (number_key, number_sealed, channel, created_at)
    values (${key}, ${keys.seal(address)}, ${channel}, ${now})
    on conflict (number_key) do update set number_sealed = excluded.number_sealed, erase_at = null`;
  const found = personByKey({ sql }, key);
  if (found === null) throw new Error('A person that was just inserted is missing');
  return found;
}

/** A person who signs up or starts again is no longer due for deletion. */
export function keepPerson({ sql }: AlertStore, id: number): void {
  sql.run`update alert_person set erase_at = null where id = ${id} and erase_at is not null`;
}

/** The person with a keyed hash, or null. */
export function personByKey({ sql }: Pick<AlertStore, 'sql'>, key: string): Person | null {
  return parsed(
    sql.get`select id, number_key, user_key, channel, created_at from alert_person where number_key = ${key}`,
  );
}

/**
 * Records whose contact it is, by the browser's random name for its user. A contact keeps its first owner, so that
 * nobody can claim it by signing it up again.
 */
export function recordOwner({ sql, keys }: AlertStore, { id }: Person, owner: string): void {
  sql.run`update alert_person set owner_key = ${keys.keyFor('owner', owner)} where id = ${id} and owner_key is null`;
}

/** The other contacts of a person's owner. An address whose owner has not confirmed it is nobody's yet. */
export function contactsOfOwner({ sql }: AlertStore, { id }: Person): Person[] {
  return sql.all`select id, number_key, user_key, channel, created_at from alert_person
    where id <> ${id} and owner_key = (select owner_key from alert_person where id = ${id})
      and exists (select 1 from alert_watch where person = alert_person.id and started is not null)`.flatMap(
    (row) => {
      const other = parsed(row);
      return other === null ? [] : [other];
    },
  );
}

/** Finds a sender by number, else by user ID; null if neither is known. */
export function findPerson({ sql, keys }: AlertStore, { number, userId }: Sender): Person | null {
  const found = number === null ? null : personByKey({ sql }, keys.keyFor('number', number));
  if (found !== null || userId === null) return found;
  const key = keys.keyFor('user', userId);
  return parsed(
    sql.get`select id, number_key, user_key, channel, created_at from alert_person where user_key = ${key}`,
  );
}

export function personById({ sql }: AlertStore, id: number): Person | null {
  return parsed(
    sql.get`select id, number_key, user_key, channel, created_at from alert_person where id = ${id}`,
  );
}

/** Records a person's user ID, to find them by messages without a number. */
export function recordUserId({ sql, keys }: AlertStore, person: Person, userId: string): void {
  const key = keys.keyFor('user', userId);
  if (person.userKey === key) return;
  sql.run`update alert_person set user_key = null where user_key = ${key}`;
  sql.run`update alert_person set user_key = ${key} where id = ${person.id}`;
}

/** Records when a person wrote, by the message's own time. */
export function recordWriting({ sql }: AlertStore, { id }: Person, at: number): void {
  sql.run`update alert_person set wrote_at = ${at} where id = ${id} and coalesce(wrote_at, 0) < ${at}`;
}

/** The number, email address or push subscription of a person, decrypted. */
export function decryptContact({ sql, keys }: AlertStore, personId: number): string {
  const sealed = sql.get`select number_sealed from alert_person where id = ${personId}`?.number_sealed;
  if (!(sealed instanceof Uint8Array)) throw new Error('A person has no address');
  return keys.open(sealed);
}

/** Has the hourly clean-up delete a person, with everything that belongs to them, from `at` on. */
export function eraseAt({ sql }: AlertStore, personId: number, at: number): void {
  sql.run`update alert_person set erase_at = ${at} where id = ${personId}`;
}

function parsed(found: unknown): Person | null {
  if (found === undefined) return null;
  const { id, number_key, user_key, channel, created_at } = v.parse(row, found);
  return { id, numberKey: number_key, userKey: user_key, channel, createdAt: created_at };
}

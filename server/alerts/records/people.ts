import * as v from 'valibot';
import type { AlertStore } from './alert-store.ts';
import type { Sender } from './sender.ts';

/** A person who signed up, identified by a keyed hash of the number, and of the provider's user ID once known. */
export interface Person {
  id: number;
  numberKey: string;
  userKey: string | null;
}

const row = v.object({ id: v.number(), number_key: v.string(), user_key: v.nullable(v.string()) });

/** The person with a canonical number, added if unknown. */
export function findOrAddPerson({ sql, keys }: AlertStore, number: string, now: number): Person {
  const key = keys.hash('number', number);
  sql.run`insert into alert_person (number_key, number_sealed, created_at)
    values (${key}, ${keys.seal(number)}, ${now}) on conflict (number_key) do nothing`;
  const found = parsed(sql.get`select id, number_key, user_key from alert_person where number_key = ${key}`);
  if (found === null) throw new Error('A person that was just inserted is missing');
  return found;
}

/** Finds a sender by number, else by user ID; null if neither is known. */
export function findPerson({ sql, keys }: AlertStore, { number, userId }: Sender): Person | null {
  if (number !== null) {
    const key = keys.hash('number', number);
    const found = parsed(
      sql.get`select id, number_key, user_key from alert_person where number_key = ${key}`,
    );
    if (found !== null) return found;
  }
  if (userId === null) return null;
  const key = keys.hash('user', userId);
  return parsed(sql.get`select id, number_key, user_key from alert_person where user_key = ${key}`);
}

export function personById({ sql }: AlertStore, id: number): Person | null {
  return parsed(sql.get`select id, number_key, user_key from alert_person where id = ${id}`);
}

/** Records a person's user ID, to find them by messages without a number. */
export function recordUserId({ sql, keys }: AlertStore, person: Person, userId: string): void {
  const key = keys.hash('user', userId);
  if (person.userKey === key) return;
  sql.run`update alert_person set user_key = null where user_key = ${key}`;
  sql.run`update alert_person set user_key = ${key} where id = ${person.id}`;
}

/** Records when a person wrote, by the message's own time. */
export function recordWriting({ sql }: AlertStore, { id }: Person, at: number): void {
  sql.run`update alert_person set wrote_at = ${at} where id = ${id} and coalesce(wrote_at, 0) < ${at}`;
}

/** The number of a person, decrypted. */
export function decryptNumber({ sql, keys }: AlertStore, personId: number): string {
  const sealed = sql.get`select number_sealed from alert_person where id = ${personId}`?.number_sealed;
  if (!(sealed instanceof Uint8Array)) throw new Error('A person has no number');
  return keys.open(sealed);
}

function parsed(found: unknown): Person | null {
  if (found === undefined) return null;
  const { id, number_key, user_key } = v.parse(row, found);
  return { id, numberKey: number_key, userKey: user_key };
}

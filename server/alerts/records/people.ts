import * as v from 'valibot';
import type { AlertStore } from './alert-store.ts';
import type { Sender } from './sender.ts';

/** Somebody who signed up: known by a keyed hash of the number, and later perhaps of the provider's user id. */
export interface Person {
  id: number;
  numberKey: string;
  userKey: string | null;
}

const row = v.object({ id: v.number(), number_key: v.string(), user_key: v.nullable(v.string()) });

/** The person with a canonical number, made where there is none. */
export function findOrAddPerson({ sql, keys }: AlertStore, number: string, now: number): Person {
  const key = keys.hash('number', number);
  sql.run`insert into alert_person (number_key, number_sealed, created_at)
    values (${key}, ${keys.seal(number)}, ${now}) on conflict (number_key) do nothing`;
  const found = parsed(sql.get`select id, number_key, user_key from alert_person where number_key = ${key}`);
  if (found === null) throw new Error('A person just written is not there');
  return found;
}

/** Who a sender is, by number first; null where neither name is known. */
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

/** Remembers which user id a person has, so that a message that names nothing else finds them. */
export function recordUserId({ sql, keys }: AlertStore, person: Person, userId: string): void {
  const key = keys.hash('user', userId);
  if (person.userKey === key) return;
  sql.run`update alert_person set user_key = null where user_key = ${key}`;
  sql.run`update alert_person set user_key = ${key} where id = ${person.id}`;
}

/** The number to write to. */
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

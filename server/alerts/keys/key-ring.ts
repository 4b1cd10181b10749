import type { SqlSession } from '../../storage/sql-database.ts';
import { isKeyOfStore } from '../../storage/store-key.ts';
import { type AlertKeys, alertKeys, type HashPurpose, keyFingerprintOf } from './alert-keys.ts';

/** The name of the note with the fingerprint of the store's secret. */
export const KEY_NOTE = 'alerts.key';

/**
 * The keys of a store. A rotation cannot know the texts behind the stored hashes, so it hashes the hashes: a
 * text is hashed with the first key, then with each later one. Only the newest key encrypts.
 */
export interface KeyRing extends AlertKeys {
  /** Throws if a rotation has replaced the key since the store was opened. Every write transaction calls it. */
  check(tx: SqlSession): Promise<void>;
  /** The hash by which to find records. */
  keyFor(thing: HashPurpose, text: string): string;
}

const WRONG_KEY = {
  sqlite:
    'The alerts of this data folder were encrypted with another key. Restore ALERTS_KEY or the file alerts.key. After an interrupted rotation, the key is in alerts.key.next.',
  postgresql:
    'The alerts of this DATABASE_URL were encrypted with another ALERTS_KEY. Every server needs the same key.',
};

/** The keys before `own`, the first one first. */
export async function olderKeys({ sql }: SqlSession, own: AlertKeys): Promise<readonly AlertKeys[]> {
  const last = await sql.get`select older from alert_key order by generation desc limit 1`;
  return last === undefined ? [] : own.open(bytesOf(last.older)).split(' ').map(keysOf);
}

/** Makes the key ring of an open store, whose newest secret `own` is from. */
export function keyRing(own: AlertKeys, older: readonly AlertKeys[]): KeyRing {
  const keys = [...older, own];
  const [first = own, ...later] = keys;
  const hash = (thing: HashPurpose, text: string) =>
    later.reduce((before, one, nth) => wrapped(one, nth + 2, before), first.hash(thing, text));
  return {
    ...own,
    async check({ sql }) {
      const generation =
        (await sql.get`select max(generation) as generation from alert_key`)?.generation ?? 1;
      if (generation !== keys.length)
        throw new Error('The key of the alerts was rotated. Restart this server with the new key.');
    },
    hash,
    keyFor: hash,
    isSigned: (text, signature, isLasting) =>
      (isLasting ? keys : [own]).some((one) => one.isSigned(text, signature, isLasting)),
  };
}

/** Whether `own` is from the store's secret. A new store accepts any. */
export async function isKeyOfAlerts(database: SqlSession, own: AlertKeys): Promise<boolean> {
  const fingerprint = keyFingerprintOf(own);
  const last = await database.sql.get`select fingerprint from alert_key order by generation desc limit 1`;
  return last === undefined
    ? await isKeyOfStore(database, KEY_NOTE, fingerprint)
    : last.fingerprint === fingerprint;
}

export function wrongKey(database: SqlSession): Error {
  return new Error(WRONG_KEY[database.engine]);
}

function keysOf(encoded: string): AlertKeys {
  return alertKeys(Buffer.from(encoded, 'base64'));
}

/** A stored hash after a rotation to `keys`. */
export function wrapped(keys: AlertKeys, generation: number, hash: string): string {
  return `${generation}.${keys.hash('key', hash)}`;
}

export function bytesOf(value: unknown): Uint8Array {
  if (!(value instanceof Uint8Array)) throw new Error('Keys are stored as bytes');
  return value;
}

/** What is counted separately: all replies, those to messages without a request, and those to a stop. */
export type ReplyCount = 'all' | 'nothing' | 'stop';

export function replyKey(keys: KeyRing, contactKey: string, count: ReplyCount): string {
  return keys.keyFor('reply', count === 'all' ? contactKey : `${contactKey} ${count}`);
}

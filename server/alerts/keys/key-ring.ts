import type { SqlDatabase } from '../../storage/sql-database.ts';
import { isKeyOfStore } from '../../storage/store-key.ts';
import { type AlertKeys, alertKeys, type HashPurpose, keyFingerprintOf } from './alert-keys.ts';
import { moveKey } from './hashed-columns.ts';

/** The name of the note with the fingerprint of the store's first secret, or of the last rotation's new one. */
export const KEY_NOTE = 'alerts.key';

/** The keys of all generations. A hash is made with the first key, then hashed again with each later one. */
interface Chain {
  generation: number;
  /** Whether records of the previous generation may remain. */
  isRotating: boolean;
  /** Whether the previous secret no longer opens the store. */
  isConcluded: boolean;
  /** Oldest first. Only the newest key encrypts. */
  keys: readonly AlertKeys[];
}

/** The keys of a store. Every write transaction calls `refresh` first: a rotation may have begun. */
export interface KeyRing extends AlertKeys {
  refresh(): void;
  readonly generation: number;
  /** The hash by which to find records. During a rotation, first moves records from the previous hash. */
  keyFor(thing: HashPurpose, text: string): string;
  /** Converts a stored hash of the previous generation; returns other hashes unchanged. */
  wrap(hash: string): string;
  /** Re-encrypts bytes of the previous generation; null if the newest key encrypted them. */
  reseal(sealed: Uint8Array): Uint8Array | null;
}

const WRONG_KEY = {
  sqlite:
    'The alerts of this data folder were encrypted with another key. Restore ALERTS_KEY or the file alerts.key.',
  postgresql:
    'The alerts of this DATABASE_URL were encrypted with another ALERTS_KEY. Every server needs the same key.',
};

export interface KeyRingOptions {
  own: AlertKeys;
  /** Reads the keys again, because a rotation may have replaced the secret's file. */
  reread: () => AlertKeys;
  /** Whether the open transaction has refreshed the ring. */
  isCovered: () => boolean;
}

/** Makes the key ring of an open store. The ring reads the store on first use. */
export function keyRing(database: SqlDatabase, { own, reread, isCovered }: KeyRingOptions): KeyRing {
  const { sql } = database;
  let chain: Chain | null = null;

  function current(): Chain {
    chain ??= readChain(database, own) ?? readChain(database, reread());
    if (chain === null) throw wrongKey(database);
    return chain;
  }
  function refresh(): void {
    const last = sql.get`select generation, finished_at, length(sealed) as sealed_bytes from alert_key
      order by generation desc limit 1`;
    const generation = Number(last?.generation ?? 1);
    const isRotating = last !== undefined && last.finished_at === null;
    const isConcluded = last === undefined || Number(last.sealed_bytes) === 0;
    if (chain?.generation !== generation) chain = null;
    chain = { ...current(), isRotating, isConcluded };
  }
  function wrap(hash: string): string {
    const { generation, keys } = current();
    const newest = keys.at(-1);
    if (newest === undefined || keys.length === 1 || hash.startsWith(`${generation}.`)) return hash;
    return wrapped(newest, generation, hash);
  }

  /** A text's current hash, and that of the previous generation, if any. */
  function hashes(thing: HashPurpose, text: string): { hash: string; before: string | null } {
    if (!isCovered()) refresh();
    const [first = own, ...later] = current().keys;
    let before: string | null = null;
    let hash = first.hash(thing, text);
    for (const [index, one] of later.entries()) {
      before = hash;
      hash = wrapped(one, index + 2, hash);
    }
    return { hash, before };
  }

  return {
    refresh,
    get generation() {
      return current().generation;
    },
    hash: (thing, text) => hashes(thing, text).hash,
    keyFor(thing, text) {
      const { hash, before } = hashes(thing, text);
      if (before !== null && current().isRotating) moveKey(database, before, hash);
      return hash;
    },
    wrap,
    seal: (text) => (current().keys.at(-1) ?? own).seal(text),
    open: (sealed) => opened(current().keys, sealed),
    reseal(sealed) {
      const { keys } = current();
      const newest = keys.at(-1) ?? own;
      if (isOpenedBy(newest, sealed)) return null;
      return newest.seal(opened(keys, sealed));
    },
    sign: (text) => (current().keys.at(-1) ?? own).sign(text),
    isSigned(text, signature, isLasting) {
      if (!isCovered()) refresh();
      const { keys, isConcluded } = current();
      const accepted = isLasting ? keys : keys.slice(isConcluded ? -1 : -2);
      return accepted.some((one) => one.isSigned(text, signature, isLasting));
    },
  };
}

/** Reads the chain of keys; null if `own` was not derived from the store's secret. */
function readChain(database: SqlDatabase, own: AlertKeys): Chain | null {
  const last = database.sql.get`select generation, sealed, older, fingerprint, finished_at from alert_key
    order by generation desc limit 1`;
  if (last === undefined) return { generation: 1, isRotating: false, isConcluded: true, keys: [own] };
  const generation = Number(last.generation);
  const isRotating = last.finished_at === null;
  const newest = last.fingerprint === keyFingerprintOf(own) ? own : successor(own, last.sealed);
  if (newest === null) return null;
  const older = newest.open(bytesOf(last.older)).split(' ').map(keysOf);
  const isConcluded = bytesOf(last.sealed).length === 0;
  return { generation, isRotating, isConcluded, keys: [...older, newest] };
}

/** The newest keys, decrypted with the previous secret; null once the rotation is concluded. */
function successor(own: AlertKeys, sealed: unknown): AlertKeys | null {
  return sealed instanceof Uint8Array && isOpenedBy(own, sealed) ? keysOf(own.open(sealed)) : null;
}

/** Whether `own` is from the store's secret, or either secret of a running rotation. A new store accepts any. */
export function isKeyOfAlerts(database: SqlDatabase, own: AlertKeys): boolean {
  const fingerprint = keyFingerprintOf(own);
  if (isKeyOfStore(database, KEY_NOTE, fingerprint)) return true;
  const last = database.sql.get`select fingerprint from alert_key order by generation desc limit 1`
    ?.fingerprint;
  return last === fingerprint;
}

export function wrongKey(database: SqlDatabase): Error {
  return new Error(WRONG_KEY[database.engine]);
}

/** The secrets of all older keys as text, oldest first, for the column `older`. */
export function encodeSecrets(secrets: readonly Uint8Array[]): string {
  return secrets.map((secret) => Buffer.from(secret).toString('base64')).join(' ');
}

function keysOf(encoded: string): AlertKeys {
  return alertKeys(Buffer.from(encoded, 'base64'));
}

function wrapped(keys: AlertKeys, generation: number, hash: string): string {
  return `${generation}.${keys.hash('key', hash)}`;
}

function isOpenedBy(keys: AlertKeys, sealed: Uint8Array): boolean {
  try {
    keys.open(sealed);
    return true;
  } catch {
    return false;
  }
}

function opened(keys: readonly AlertKeys[], sealed: Uint8Array): string {
  const fitting = keys.findLast((one) => isOpenedBy(one, sealed)) ?? keys.at(-1);
  if (fitting === undefined) throw new Error('A store has no keys');
  return fitting.open(sealed);
}

export function bytesOf(value: unknown): Uint8Array {
  if (!(value instanceof Uint8Array)) throw new Error('Keys are stored as bytes');
  return value;
}

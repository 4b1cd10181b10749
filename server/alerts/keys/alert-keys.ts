import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { constantTimeEqual } from '../../lib/constant-time-equal.ts';
import type { StoreAddress } from '../../storage/store-address.ts';
import { keyMissing } from '../../storage/store-key.ts';

const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** 22 base64url letters are 132 bits. */
const SIGNATURE_LETTERS = 22;

export const ALERTS_KEY_FILE = 'alerts.key';

/** One text has a different hash for each purpose, so that records cannot be matched across purposes. */
export type HashPurpose =
  | 'number'
  | 'email'
  | 'push'
  | 'ntfy'
  | 'owner'
  | 'user'
  | 'message'
  | 'event'
  | 'address'
  | 'block'
  | 'reply'
  | 'key';

export interface LinkKeys {
  /** The signature of a link's token, in base64url. */
  sign(text: string): string;
  /** With `isLasting`, also accepts signatures by keys that a finished rotation has replaced. */
  isSigned(text: string, signature: string, isLasting: boolean): boolean;
}

/** Hashes, encrypts and signs with keys derived from one secret. */
export interface AlertKeys extends LinkKeys {
  /** A hash of 64 hex digits. Guesses at the text cannot be checked without the key. */
  hash(thing: HashPurpose, text: string): string;
  /** Encrypts with AES-256-GCM and a random nonce. */
  seal(text: string): Uint8Array;
  /** Throws if the bytes were sealed with another key or were changed. */
  open(sealed: Uint8Array): string;
}

export function alertKeys(secret: Uint8Array): AlertKeys {
  const hashKey = deriveKey(secret, 'skylark alerts: keyed hashes');
  const sealKey = deriveKey(secret, 'skylark alerts: sealed numbers');
  const linkKey = deriveKey(secret, 'skylark alerts: signed links');
  const sign = (text: string) =>
    createHmac('sha256', linkKey).update(text).digest('base64url').slice(0, SIGNATURE_LETTERS);
  return {
    hash: (thing, text) => createHmac('sha256', hashKey).update(`${thing}\n${text}`).digest('hex'),
    seal(text) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', sealKey, iv);
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
    },
    open(sealed) {
      const decipher = createDecipheriv('aes-256-gcm', sealKey, sealed.subarray(0, IV_BYTES));
      decipher.setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      const opened = decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES));
      return Buffer.concat([opened, decipher.final()]).toString('utf8');
    },
    sign,
    isSigned: (text, signature) => constantTimeEqual(signature, sign(text)),
  };
}

/** A fingerprint of a secret's keys that does not reveal them. */
export function keyFingerprintOf(keys: AlertKeys): string {
  return keys.hash('key', 'check');
}

/**
 * The secret for `AlertKeys`: `ALERTS_KEY` if set, else a file in the data folder that only its owner can
 * read. Creates a missing file only if `mayCreate`, because a new secret could not decrypt existing numbers;
 * else throws.
 */
export function readAlertSecret(
  configured: Uint8Array | null,
  store: StoreAddress,
  mayCreate: boolean,
): Uint8Array {
  if (configured !== null) return configured;
  if (store.kind === 'postgresql') throw keyMissing('ALERTS_KEY');
  if (!mayCreate && !hasKeyFile(store)) {
    throw new Error(
      `${join(store.dataDir, ALERTS_KEY_FILE)} is missing, and the alerts of this data folder are encrypted with it. Put your copy of it there, or set ALERTS_KEY. Nothing has been changed.`,
    );
  }
  return readKeyFile(join(store.dataDir, ALERTS_KEY_FILE));
}

export function hasKeyFile(store: StoreAddress): boolean {
  return store.kind === 'embedded' && existsSync(join(store.dataDir, ALERTS_KEY_FILE));
}

/** The 32 bytes of a key file that only its owner can read, created if it is missing. */
export function readKeyFile(path: string): Uint8Array {
  // Writes only a missing file, since the disk may be full.
  if (!existsSync(path)) createSecretFile(path);
  const secret = readFileSync(path);
  if (secret.length !== KEY_BYTES)
    throw new Error(`${path} must have ${KEY_BYTES} bytes (got ${secret.length})`);
  return secret;
}

/** Writes a temporary file and links it, so that no process reads a partial key. */
function createSecretFile(path: string): void {
  const own = `${path}.${process.pid}-${randomBytes(4).toString('hex')}`;
  try {
    writeFileSync(own, randomBytes(KEY_BYTES), { mode: 0o600, flag: 'wx', flush: true });
    linkSync(own, path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    rmSync(own, { force: true });
  }
}

export function replaceSecretFile(dataDir: string, secret: Uint8Array): void {
  const path = join(dataDir, ALERTS_KEY_FILE);
  const next = `${path}.${process.pid}`;
  rmSync(next, { force: true });
  writeFileSync(next, secret, { mode: 0o600, flag: 'wx', flush: true });
  renameSync(next, path);
}

/** Parses 32 bytes as 64 hex digits or as base64; null for anything else. */
export function parseSecret(text: string): Uint8Array | null {
  if (/^[\da-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  if (!/^[\w+/-]{43}=?$/.test(text)) return null;
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === KEY_BYTES ? bytes : null;
}

function deriveKey(secret: Uint8Array, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', purpose, KEY_BYTES));
}

import { createHmac, randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StoreUnavailable } from '../../lib/store-unavailable.ts';
import { openDatabase } from '../../storage/open/database.ts';
import type { SqlDatabase } from '../../storage/sql-database.ts';
import type { StoreAddress } from '../../storage/store-address.ts';
import { isKeyOfStore, keyFingerprint, keyMissing } from '../../storage/store-key.ts';

const KEY_BYTES = 32;
const NOTE = 'token.key';

/** The key's file in a data folder. */
export const TOKEN_KEY_FILE = 'token.key';

/**
 * The key that signs page tokens: `TOKEN_KEY`, else a generated file in the data folder that only the owner
 * can read. Throws if servers that share a store have no key or different keys.
 */
export async function tokenKey(configured: string | null, store: StoreAddress): Promise<Uint8Array> {
  if (store.kind === 'postgresql') return sharedKey(configured, store);
  if (configured !== null) return Buffer.from(configured);
  const path = join(store.dataDir, TOKEN_KEY_FILE);
  try {
    writeFileSync(path, randomBytes(KEY_BYTES), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  return readFileSync(path);
}

/** Whether a store's servers sign with this key. `unused`: no server has started yet, so any key works. */
export async function tokenKeyState(
  database: SqlDatabase,
  configured: string,
): Promise<'fits' | 'another' | 'unused'> {
  const stored = await keyFingerprint(database, NOTE);
  if (stored === null) return 'unused';
  return stored === fingerprintOf(configured) ? 'fits' : 'another';
}

async function sharedKey(configured: string | null, store: StoreAddress): Promise<Uint8Array> {
  if (configured === null) throw keyMissing('TOKEN_KEY');
  if (!(await isSharedKey(store, fingerprintOf(configured)))) {
    throw new Error(
      'The servers of this DATABASE_URL use a different TOKEN_KEY: set the same one on all of them',
    );
  }
  return Buffer.from(configured);
}

function fingerprintOf(key: string): string {
  return createHmac('sha256', key).update('skylark page tokens: check').digest('hex');
}

async function isSharedKey(store: StoreAddress, fingerprint: string): Promise<boolean> {
  try {
    await using database = await openDatabase(store);
    return await isKeyOfStore(database, NOTE, fingerprint);
  } catch (error) {
    // While only replicas respond, a starting server can still answer searches.
    if (error instanceof StoreUnavailable) return true;
    throw error;
  }
}

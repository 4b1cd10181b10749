import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StoreAddress } from '../storage/store-address.ts';

const KEY_BYTES = 32;

/**
 * The key that signs page tokens: `TOKEN_KEY` where it is set (every server behind one address needs the same),
 * else a file in the data folder that only the owner reads, made at the first start.
 */
export function tokenKey(configured: string | null, store: StoreAddress): Uint8Array {
  if (configured !== null) return Buffer.from(configured);
  const path = join(store.dataDir, 'token.key');
  try {
    writeFileSync(path, randomBytes(KEY_BYTES), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  return readFileSync(path);
}

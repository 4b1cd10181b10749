import { createECDH } from 'node:crypto';
import { join } from 'node:path';
import type { StoreAddress } from '../../storage/store-address.ts';
import { readKeyFile } from './alert-keys.ts';

/** The key pair that identifies this server to push services (RFC 8292), in base64url. */
export interface VapidKeys {
  publicKey: string;
  privateKey: string;
}

export const VAPID_KEY_FILE = 'vapid.key';

/**
 * The key pair from `VAPID_KEY`, else from a file in the data folder, created at the first start. Null with
 * PostgreSQL if `VAPID_KEY` is not set. Subscriptions made with another key do not work.
 */
export function readVapidKeys(configured: Uint8Array | null, store: StoreAddress): VapidKeys | null {
  if (configured !== null) return vapidKeys(configured);
  return store.kind === 'postgresql' ? null : vapidKeys(readKeyFile(join(store.dataDir, VAPID_KEY_FILE)));
}

export function vapidKeys(privateKey: Uint8Array): VapidKeys {
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(privateKey);
  return {
    publicKey: pair.getPublicKey().toString('base64url'),
    privateKey: Buffer.from(privateKey).toString('base64url'),
  };
}

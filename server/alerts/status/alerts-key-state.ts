import type { SqlDatabase } from '../../storage/sql-database.ts';
import type { StoreAddress } from '../../storage/store-address.ts';
import { keyFingerprint } from '../../storage/store-key.ts';
import { alertKeys, hasKeyFile, readAlertSecret } from '../keys/alert-keys.ts';
import { isKeyOfAlerts, KEY_NOTE } from '../keys/key-ring.ts';

/** Whether the current key encrypted the store's numbers. `unused`: the store has no alerts yet. */
export async function alertsKeyState(
  database: SqlDatabase,
  configured: Uint8Array | null,
  store: StoreAddress,
): Promise<'fits' | 'missing' | 'another' | 'unused'> {
  const held = await keyFingerprint(database, KEY_NOTE);
  if (held === null) return 'unused';
  if (configured === null && !hasKeyFile(store)) return 'missing';
  return (await isKeyOfAlerts(database, alertKeys(readAlertSecret(configured, store, false))))
    ? 'fits'
    : 'another';
}

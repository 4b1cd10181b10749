import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { SqlDatabase } from '../../storage/sql-database.ts';
import type { StoreAddress } from '../../storage/store-address.ts';
import { keyFingerprint } from '../../storage/store-key.ts';
import { ALERTS_KEY_FILE, alertKeys, readAlertSecret } from '../records/alert-keys.ts';
import { isKeyOfAlerts, KEY_NOTE } from '../records/key-ring.ts';

/**
 * Whether the current key (`ALERTS_KEY`, else the data folder's file) is the one that the store's numbers were
 * encrypted with. `unused`: the store has never had alerts, so any key works.
 */
export function alertsKeyState(
  database: SqlDatabase,
  configured: Uint8Array | null,
  store: StoreAddress,
): 'fits' | 'missing' | 'another' | 'unused' {
  const held = keyFingerprint(database, KEY_NOTE);
  if (held === null) return 'unused';
  const hasFile = store.kind === 'embedded' && existsSync(join(store.dataDir, ALERTS_KEY_FILE));
  if (configured === null && !hasFile) return 'missing';
  return isKeyOfAlerts(database, alertKeys(readAlertSecret(configured, store))) ? 'fits' : 'another';
}

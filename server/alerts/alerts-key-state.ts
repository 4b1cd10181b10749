import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { ALERTS_KEY_FILE, alertKeys, alertSecret } from './alert-keys.ts';
import { KEY_CHECK, KEY_NOTE } from './alert-store.ts';

/**
 * Whether the key at hand (`ALERTS_KEY`, else the data folder's file) is the one that the store's numbers were
 * encrypted with. `unused`: the store has never had alerts, and any key will do.
 */
export function alertsKeyState(
  database: DatabaseSync,
  configured: Uint8Array | null,
  dataDir: string,
): 'fits' | 'missing' | 'another' | 'unused' {
  const held = database.prepare('select value from note where name = ?').get(KEY_NOTE)?.value;
  if (held === undefined) return 'unused';
  if (configured === null && !existsSync(join(dataDir, ALERTS_KEY_FILE))) return 'missing';
  return alertKeys(alertSecret(configured, dataDir)).hash('key', KEY_CHECK) === held ? 'fits' : 'another';
}

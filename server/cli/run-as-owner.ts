import { statSync } from 'node:fs';
import type { StoreAddress } from '../storage/store-address.ts';

/**
 * If root runs a command, switches to the data folder's owner, so that it leaves no file that the server
 * cannot write. Call this after reading the settings, because root may own their secret files.
 */
export function runAsOwner(store: StoreAddress): void {
  if (store.kind !== 'embedded' || process.getuid?.() !== 0) return;
  const owner = statSync(store.dataDir, { throwIfNoEntry: false });
  if (owner === undefined || owner.uid === 0) return;
  process.setgroups?.([owner.gid]);
  process.setgid?.(owner.gid);
  process.setuid?.(owner.uid);
}

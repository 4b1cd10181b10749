import { statSync } from 'node:fs';
import { join } from 'node:path';
import { ALERTS_KEY_FILE } from '../../alerts/keys/alert-keys.ts';
import { alertsKeyState } from '../../alerts/status/alerts-key-state.ts';
import { tokenKeyState } from '../../package-search/tokens/token-key.ts';
import { MAKE_KEY } from '../../storage/store-key.ts';
import type { Condition } from '../condition.ts';
import type { DoctorStoreView, DoctorView } from './doctor-view.ts';

const KEY_BYTES = 32;

export const KEYS_UNSET: Condition<DoctorView> = {
  id: 'keys',
  level: 'bad',
  sentence: '$ must be set: with DATABASE_URL, no server starts without it',
  remedy: `Set it to the value that the store's other servers use. For a new store, generate one with ${MAKE_KEY} and keep a copy.`,
  read: ({ config: { store, tokenKey }, alerts: { secret } }) =>
    Object.entries({ TOKEN_KEY: tokenKey, ALERTS_KEY: secret })
      .filter(([, key]) => store.kind === 'postgresql' && key === null)
      .map(([subject]) => ({ subject })),
};

export const TOKEN_KEY_DIFFERS: Condition<DoctorStoreView> = {
  id: 'token key',
  level: 'bad',
  sentence:
    'TOKEN_KEY differs from the one that other servers of this DATABASE_URL use: the server will not start',
  remedy: 'Set the same TOKEN_KEY on each of them.',
  async read({ database, config: { store, tokenKey } }) {
    if (store.kind !== 'postgresql' || tokenKey === null) return false;
    return (await tokenKeyState(database, tokenKey)) === 'another' ? {} : 'TOKEN_KEY matches the store.';
  },
};

export const ALERTS_KEY_DIFFERS: Condition<DoctorStoreView> = {
  id: 'alerts key',
  level: 'bad',
  sentence: 'The key of the price alerts does not match the store',
  remedy: `Restore the original ${ALERTS_KEY_FILE} or ALERTS_KEY: without it, no phone number can be read.`,
  async read({ database, config: { store }, alerts: { secret } }) {
    // KEYS_UNSET reports that a PostgreSQL's key is missing.
    if (store.kind === 'postgresql' && secret === null) return false;
    const path = store.kind === 'embedded' && secret === null ? join(store.dataDir, ALERTS_KEY_FILE) : null;
    const file = path === null ? undefined : statSync(path, { throwIfNoEntry: false });
    if (file !== undefined && file.size !== KEY_BYTES)
      return { sentence: `${path} is not a valid key: it has ${file.size} bytes` };
    const state = await alertsKeyState(database, secret, store);
    if (state === 'unused') return 'Price alerts have not been used yet.';
    return state === 'fits'
      ? 'The key of the price alerts matches the store. Keep a copy of it, separate from your backups.'
      : {};
  },
};

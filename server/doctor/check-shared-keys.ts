import type { AlertsConfig } from '../alerts/alerts-config.ts';
import type { Config } from '../config.ts';
import { tokenKeyState } from '../package-search/tokens/token-key.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import { MAKE_KEY } from '../storage/store-key.ts';
import { bad, type Finding, ok } from './finding.ts';

/** Checks that the keys that all servers of a PostgreSQL need are set. No server starts without them. */
export function checkSharedKeys({ store, tokenKey }: Config, { secret }: AlertsConfig): Finding[] {
  if (store.kind !== 'postgresql') return [];
  return [
    ...(tokenKey === null ? [notSet('TOKEN_KEY')] : []),
    ...(secret === null ? [notSet('ALERTS_KEY')] : []),
  ];
}

/** Checks that TOKEN_KEY is the one that the store's other servers use. */
export async function checkTokenKey(database: SqlDatabase, { store, tokenKey }: Config): Promise<Finding[]> {
  if (store.kind !== 'postgresql' || tokenKey === null) return [];
  if ((await tokenKeyState(database, tokenKey)) !== 'another') return [ok('TOKEN_KEY matches the store.')];
  return [
    bad(
      'TOKEN_KEY differs from the one that other servers of this DATABASE_URL use: the server will not start.',
      'Set the same TOKEN_KEY on each of them.',
    ),
  ];
}

function notSet(variable: string): Finding {
  return bad(
    `${variable} must be set: with DATABASE_URL, no server starts without it.`,
    `Set it to the value that the store's other servers use. For a new store, generate one with ${MAKE_KEY} and keep a copy.`,
  );
}

import type { AlertsConfig } from '../alerts/alerts-config.ts';
import type { Config } from '../config.ts';
import { tokenKeyState } from '../package-search/token-key.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import { MAKE_KEY } from '../storage/store-key.ts';
import { bad, type Finding, ok } from './finding.ts';

/** The keys that every server of one PostgreSQL has to be given: without them none starts. */
export function checkSharedKeys({ store, tokenKey }: Config, { secret }: AlertsConfig): Finding[] {
  if (store.kind !== 'postgresql') return [];
  return [
    ...(tokenKey === null ? [notSet('TOKEN_KEY')] : []),
    ...(secret === null ? [notSet('ALERTS_KEY')] : []),
  ];
}

/** Whether the store's other servers sign page tokens with the same key. */
export function checkTokenKey(database: SqlDatabase, { store, tokenKey }: Config): Finding[] {
  if (store.kind !== 'postgresql' || tokenKey === null) return [];
  if (tokenKeyState(database, tokenKey) !== 'another') return [ok('TOKEN_KEY fits the store.')];
  return [
    bad(
      'TOKEN_KEY is not the one that the servers of this DATABASE_URL have: the server will not start.',
      'Give the same TOKEN_KEY to each of them.',
    ),
  ];
}

function notSet(variable: string): Finding {
  return bad(
    `${variable} is not set, and with DATABASE_URL no server starts without it.`,
    `Set it as the store's other servers have it. For a new store: to what ${MAKE_KEY} prints, once; keep a copy.`,
  );
}

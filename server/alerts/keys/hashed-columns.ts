import type { SqlDatabase } from '../../storage/sql-database.ts';

/** Every column with keyed hashes, by table. A rotation of keys moves them all. */
export const HASHED_COLUMNS = [
  ['alert_person', 'number_key'],
  ['alert_person', 'user_key'],
  ['alert_person', 'owner_key'],
  ['alert_consent', 'number_key'],
  ['alert_asked', 'number_key'],
  ['alert_suppression', 'key'],
  ['alert_start', 'key'],
  ['alert_sign_up_count', 'key'],
  ['alert_event', 'event_key'],
  ['alert_attempt', 'message_key'],
  ['alert_audit', 'number_key'],
] as const;

/** Replaces a hash by another in every table, so that rows which belong together stay together. */
export function moveKey(database: SqlDatabase, from: string, to: string): void {
  for (const [table, column] of HASHED_COLUMNS)
    database.prepare(`update ${table} set ${column} = ? where ${column} = ?`).run(to, from);
}

import type { SqlSession } from '../../storage/sql-database.ts';

/** Every column with keyed hashes, which a key rotation converts. */
export const HASHED_COLUMNS = [
  ['alert_contact', 'contact_key'],
  ['alert_contact', 'user_key'],
  ['alert_contact', 'owner_key'],
  ['alert_consent', 'contact_key'],
  ['alert_asked', 'contact_key'],
  ['alert_suppression', 'key'],
  ['alert_start', 'key'],
  ['alert_sign_up_count', 'key'],
  ['alert_event', 'event_key'],
  ['alert_message', 'message_key'],
  ['alert_audit', 'contact_key'],
] as const;

export async function moveKey(database: SqlSession, from: string, to: string): Promise<void> {
  for (const [table, column] of HASHED_COLUMNS)
    await database.prepare(`update ${table} set ${column} = ? where ${column} = ?`).run(to, from);
}

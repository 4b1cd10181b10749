import type { SqlTag } from '../../storage/sql-database.ts';

/** Advances the logical clock, inside the caller's write transaction. Its times are in commit order. */
export async function nextLogicalTime(sql: SqlTag): Promise<number> {
  return Number((await sql.get`update alert_moment set moment = moment + 1 returning moment`)?.moment);
}

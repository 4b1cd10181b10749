import type { SqlTag } from '../../storage/sql-database.ts';

/** Takes the next moment, inside the caller's write transaction: so all moments are in the order of their commits. */
export function nextLogicalTime(sql: SqlTag): number {
  return Number(sql.get`update alert_moment set moment = moment + 1 returning moment`?.moment);
}

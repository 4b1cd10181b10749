import type { SqlDatabase } from '../../storage/sql-database.ts';

/**
 * A merge join walks all stored offers; a nested loop looks up each staged one at about three times the cost.
 * Up to this many stored offers per staged one the walk is cheaper.
 */
const WALKED = 2;

const WALK = `set local enable_nestloop = off; set local enable_mergejoin = on;
  set local plan_cache_mode = force_custom_plan`;

/**
 * Runs statements that join staged with stored offers, in the caller's transaction, with the cheaper join.
 * PostgreSQL expects a key of eleven columns to match one row, so it cannot choose. Uses look-ups without
 * statistics, and on Citus.
 */
export function withJoinPlan<T>(database: SqlDatabase, staged: number, statements: () => T): T {
  const row = database.sql.get`select n_live_tup as stored from pg_stat_all_tables
    where relid = 'offer'::regclass`;
  const stored = Number(row?.stored ?? 0);
  if (stored === 0 || stored > staged * WALKED) return statements();
  const { loop, merge, plans } =
    database.sql.get`select current_setting('enable_nestloop') as loop,
    current_setting('enable_mergejoin') as merge, current_setting('plan_cache_mode') as plans` ?? {};
  database.exec(WALK);
  const result = statements();
  // Not `to default`: the connection's settings may differ from the server's.
  database.sql.get`select set_config('enable_nestloop', ${loop ?? null}, true),
    set_config('enable_mergejoin', ${merge ?? null}, true), set_config('plan_cache_mode', ${plans ?? null}, true)`;
  return result;
}

import type { SqlDatabase } from '../../storage/sql-database.ts';

/**
 * A merge join walks all stored offers; a nested loop looks up each staged one, at about three times the price. Stored
 * offers for each staged one, up to which the walk is cheaper.
 */
const WALKED = 2;

const WALK = `set local enable_nestloop = off; set local enable_mergejoin = on;
  set local plan_cache_mode = force_custom_plan`;

/**
 * Runs statements that join the staged offers of an import with the stored ones, inside the caller's transaction, with the
 * cheaper join. PostgreSQL cannot choose it: of a key of eleven columns, it expects one row to match. Without statistics,
 * and where offers are on other nodes (Citus), offers are looked up.
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
  // Not by `to default`: the connection's own settings are not the server's defaults.
  database.sql.get`select set_config('enable_nestloop', ${loop ?? null}, true),
    set_config('enable_mergejoin', ${merge ?? null}, true), set_config('plan_cache_mode', ${plans ?? null}, true)`;
  return result;
}

import type { SqlSession } from '../../storage/sql-database.ts';

/**
 * A merge join reads all stored offers; a nested loop looks up each staged one, which costs about three times
 * as much per offer. With up to this many stored offers per staged one, the merge join is cheaper.
 */
const WALKED = 2;

const WALK = `set local enable_nestloop = off; set local enable_mergejoin = on;
  set local plan_cache_mode = force_custom_plan`;

/**
 * Runs statements that join staged with stored offers, in the caller's transaction, with the cheaper kind of
 * join. PostgreSQL cannot choose, because it expects a key of eleven columns to match one row. Uses nested
 * loops on Citus, and while there are no statistics.
 */
export async function withJoinPlan<T>(
  tx: SqlSession,
  staged: number,
  statements: () => Promise<T>,
): Promise<T> {
  if (tx.engine === 'sqlite') return statements();
  const row = await tx.sql.get`select n_live_tup as stored from pg_stat_all_tables
    where relid = 'offer'::regclass`;
  const stored = Number(row?.stored ?? 0);
  if (stored === 0 || stored > staged * WALKED) return statements();
  const { loop, merge, plans } =
    (await tx.sql.get`select current_setting('enable_nestloop') as loop,
    current_setting('enable_mergejoin') as merge, current_setting('plan_cache_mode') as plans`) ?? {};
  await tx.exec(WALK);
  const result = await statements();
  // Restores the values read before. `to default` would not: the connection's settings may differ from the
  // server's.
  await tx.sql.get`select set_config('enable_nestloop', ${loop ?? null}, true),
    set_config('enable_mergejoin', ${merge ?? null}, true), set_config('plan_cache_mode', ${plans ?? null}, true)`;
  return result;
}

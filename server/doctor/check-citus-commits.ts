import { GRANT_RECOVERY } from '../storage/postgres/prepared-transactions.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import { type Finding, warn } from './finding.ts';

/** Servers have prepared transactions concluded every two seconds, Citus alone once a minute: older ones are stuck. */
const STUCK_AFTER_SECONDS = 60;

/** On one node: how many prepared transactions it has left in this database, and the oldest's age. */
const leftOn = (seconds: number) => `select json_build_object(
    'count', count(*),
    'age', coalesce(floor(extract(epoch from max(now() - prepared))), 0))
  from pg_prepared_xacts
  where database = current_database() and prepared < now() - interval '${seconds} seconds'`;

/** Finds transactions that have been left between the two phases of a commit, and who may not conclude them. */
export function checkCitusCommits(database: SqlDatabase, stuckAfter = STUCK_AFTER_SECONDS): Finding[] {
  return [...checkGrant(database), ...checkLeft(database, stuckAfter)];
}

function checkGrant(database: SqlDatabase): Finding[] {
  const [mayRecover, user] = database
    .prepare(
      `select has_function_privilege('recover_prepared_transactions()', 'execute')::int, quote_ident(current_user)`,
    )
    .row() ?? [1];
  if (mayRecover === 1) return [];
  return [
    warn(
      'Citus: this user may not conclude what a lost worker had prepared. For up to a minute after its return, searches of its packages may be refused, and the next import may wait.',
      `As a superuser, on the coordinator, in this database: "${GRANT_RECOVERY} ${String(user)}".`,
    ),
  ];
}

function checkLeft(database: SqlDatabase, stuckAfter: number): Finding[] {
  return database
    .prepare(
      `select nodename || ':' || nodeport, cast(result::json ->> 'count' as integer),
          cast(result::json ->> 'age' as integer)
        from run_command_on_all_nodes('${leftOn(stuckAfter).replaceAll("'", "''")}') as answer
        join pg_dist_node using (nodeid)
        where answer.success order by nodeid`,
    )
    .rows()
    .filter(([, count]) => Number(count) > 0)
    .map(([node, count, age]) =>
      warn(
        `Citus: prepared transactions are left on the node ${String(node)}: ${String(count)}, the oldest for ${String(age)} seconds. They keep rows locked, and imports wait for them.`,
        'A running server, or Citus every citus.recover_2pc_interval, concludes them while the coordinator runs. If they stay, run "select recover_prepared_transactions()" on the coordinator as the user that owns them, and see pg_prepared_xacts on the node: those whose gid does not begin with citus_ are not concluded by Citus. End them there with "rollback prepared" and the gid.',
      ),
    );
}

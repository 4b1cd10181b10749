import { errorMessage } from '../../lib/error-message.ts';
import { installedCommand } from '../../lib/installed-command.ts';
import { GRANT_RECOVERY } from './conclude-prepared.ts';
import { type Client, isCitus, rowsOf, withCoordinator } from './coordinator.ts';
import { distributedOtherwise, tablesWithLocalRows, undistributed } from './distribute.ts';
import { CITUS_INTERACTIVE } from './settings.ts';

/** A result of the doctor's checks: what is right or wrong, and what to do. */
export interface CitusFinding {
  level: 'ok' | 'warn' | 'bad';
  summary: string;
  remedy: string | null;
}

const ok = (summary: string): CitusFinding => ({ level: 'ok', summary, remedy: null });
const warn = (summary: string, remedy: string): CitusFinding => ({ level: 'warn', summary, remedy });
const bad = (summary: string, remedy: string): CitusFinding => ({ level: 'bad', summary, remedy });

/** Servers conclude prepared transactions every two seconds, Citus every minute: older ones are stuck. */
const STUCK_AFTER_SECONDS = 60;

/** Checks the nodes and tables of Citus. Returns nothing for a PostgreSQL without Citus. */
export function checkCitus(url: string, stuckAfter = STUCK_AFTER_SECONDS): Promise<CitusFinding[]> {
  const settings = { ...CITUS_INTERACTIVE, default_transaction_read_only: 'on' };
  return withCoordinator(url, settings, async (client) => {
    if (!(await isCitus(client))) return [];
    try {
      return [
        ...(await checkNodes(client)),
        ...(await checkTables(client)),
        ...(await checkGrant(client)),
        ...(await checkPrepared(client, stuckAfter)),
      ];
    } catch (error) {
      const remedy = 'Check that the coordinator can reach every worker.';
      return [bad(`Citus does not respond: ${errorMessage(error)}.`, remedy)];
    }
  });
}

async function checkNodes(client: Client): Promise<CitusFinding[]> {
  const workers = await rowsOf(
    client,
    `select nodename || ':' || nodeport from pg_dist_node
      where noderole = 'primary' and groupid <> 0 and isactive order by nodeid`,
  );
  if (workers.length === 0) {
    return [
      warn(
        'Citus has no worker, so the coordinator holds every package.',
        'Add workers with citus_add_node, then run citus_rebalance_start.',
      ),
    ];
  }
  const answers = await rowsOf(
    client,
    `select nodename || ':' || nodeport, success::int, result
      from run_command_on_workers('select count(*) from pg_extension where extname = ''citus''')`,
  );
  const findings = workers.flatMap(([node]) => {
    const [, isDone, result] = answers.find(([answering]) => answering === node) ?? [];
    if (isDone !== 1) {
      return [
        bad(
          `The worker ${String(node)} does not respond: ${String(result ?? 'no connection').trim()}.`,
          'Searches of its days fail immediately. Imports fail too, and change nothing; an import waits only if the worker hangs during it. Check that it is running, and that it accepts the password of the coordinator: pg_dist_authinfo on the coordinator, pg_hba.conf on the worker.',
        ),
      ];
    }
    if (result === '1') return [];
    return [
      bad(
        `The worker ${String(node)} has no extension citus in this database.`,
        'Run "create extension citus" there.',
      ),
    ];
  });
  return findings.length > 0 ? findings : [ok(`Citus: ${workers.length} workers respond.`)];
}

async function checkTables(client: Client): Promise<CitusFinding[]> {
  const findings = (await distributedOtherwise(client)).map(({ table, fault }) =>
    bad(
      `Citus: ${table} ${fault}.`,
      `Stop imports. Run "select undistribute_table('${table}')" on the coordinator, then ${installedCommand('distribute')}.`,
    ),
  );
  const missing = await undistributed(client);
  if (missing.length > 0) {
    const are = missing.length === 1 ? 'is' : 'are';
    findings.push(
      warn(
        `Citus: ${missing.join(', ')} ${are} on the coordinator alone.`,
        `Run ${installedCommand('distribute')}.`,
      ),
    );
  }
  const left = await tablesWithLocalRows(client);
  if (left.length > 0) {
    findings.push(
      warn(
        `Citus: the coordinator still holds rows of ${left.join(', ')} that were moved to the workers.`,
        `Run ${installedCommand('distribute')}. It removes them.`,
      ),
    );
  }
  return findings.length > 0
    ? findings
    : [ok('Citus: every table that grows with the packages is distributed.')];
}

async function checkGrant(client: Client): Promise<CitusFinding[]> {
  const [[mayRecover, user] = []] = await rowsOf(
    client,
    `select has_function_privilege('recover_prepared_transactions()', 'execute')::int, quote_ident(current_user)`,
  );
  if (mayRecover === 1) return [];
  return [
    warn(
      "Citus: this user may not conclude a lost worker's prepared transactions. For up to a minute after the worker returns, searches of its packages may be refused, and the next import may wait.",
      `As a superuser, on the coordinator, in this database: "${GRANT_RECOVERY} ${String(user)}".`,
    ),
  ];
}

/** Finds transactions that are prepared but neither committed nor rolled back. */
async function checkPrepared(client: Client, stuckAfter: number): Promise<CitusFinding[]> {
  const left = `select json_build_object(
      'count', count(*),
      'age', coalesce(floor(extract(epoch from max(now() - prepared))), 0))
    from pg_prepared_xacts
    where database = current_database() and prepared < now() - interval '${stuckAfter} seconds'`;
  const nodes = await rowsOf(
    client,
    `select nodename || ':' || nodeport, result::json ->> 'count', result::json ->> 'age'
      from run_command_on_all_nodes('${left.replaceAll("'", "''")}') as answer join pg_dist_node using (nodeid)
      where answer.success order by nodeid`,
  );
  return nodes
    .filter(([, count]) => count !== '0')
    .map(([node, count, age]) =>
      warn(
        `Citus: prepared transactions are left on the node ${String(node)}: ${String(count)}, the oldest for ${String(age)} seconds. They keep rows locked, and imports wait for them.`,
        'A running server, or Citus every citus.recover_2pc_interval, concludes them while the coordinator runs. If they stay, run "select recover_prepared_transactions()" on the coordinator as the user that owns them, and see pg_prepared_xacts on the node: those whose gid does not begin with citus_ are not concluded by Citus. End them there with "rollback prepared" and the gid.',
      ),
    );
}

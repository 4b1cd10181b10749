import { errorMessage } from '../lib/error-message.ts';
import { distributedOtherwise, isCitus, tablesWithLocalRows, undistributed } from '../storage/distribute.ts';
import type { SqlDatabase, SqlValue } from '../storage/sql-database.ts';
import { checkCitusCommits } from './check-citus-commits.ts';
import { checkCitusCopies } from './check-citus-copies.ts';
import { bad, type Finding, ok, warn } from './finding.ts';

/** Checks the nodes and tables of Citus. Nothing is found on a PostgreSQL without it. */
export function checkCitus(database: SqlDatabase): Finding[] {
  if (!isCitus(database)) return [];
  try {
    const nodes = checkNodes(database);
    return [
      ...nodes,
      ...checkTables(database),
      ...checkCitusCommits(database),
      // A worker that does not answer has been reported.
      ...(nodes.some(({ level }) => level === 'bad') ? [] : checkCitusCopies(database)),
    ];
  } catch (error) {
    return [
      bad(
        `Citus does not answer: ${errorMessage(error)}.`,
        'Check that the coordinator can reach every worker.',
      ),
    ];
  }
}

function checkNodes(database: SqlDatabase): Finding[] {
  const workers = database
    .prepare(
      `select nodename, nodeport from pg_dist_node where noderole = 'primary' and groupid <> 0 and isactive order by nodeid`,
    )
    .rows();
  if (workers.length === 0) {
    return [
      warn(
        'Citus has no worker, so the coordinator holds every package.',
        'Add workers with citus_add_node, then run citus_rebalance_start.',
      ),
    ];
  }
  const extension = `select count(*) from pg_extension where extname = ''citus''`;
  const answers = database
    .prepare(
      `select nodename, nodeport, success::int, result from run_command_on_workers('${extension}')
        as answer`,
    )
    .rows();
  const byNode = new Map(
    answers.map(([name, port, isDone, result]) => [nodeName(name, port), { isDone, result }]),
  );
  const findings = workers.flatMap(([name, port]) => {
    const node = nodeName(name, port);
    const answer = byNode.get(node);
    if (answer?.isDone !== 1) {
      return [
        bad(
          `The worker ${node} does not answer: ${String(answer?.result ?? 'no connection').trim()}.`,
          'Searches of the days that it holds fail at once. So do imports, which change nothing; one waits only if the worker hangs in the middle of it. Check that it is running, and that it accepts the password of the coordinator: pg_dist_authinfo on the coordinator, pg_hba.conf on the worker.',
        ),
      ];
    }
    if (answer.result === '1') return [];
    return [
      bad(
        `The worker ${node} has no extension citus in this database.`,
        'Run "create extension citus" there.',
      ),
    ];
  });
  return findings.length > 0 ? findings : [ok(`Citus: ${workers.length} workers answer.`)];
}

function nodeName(...parts: readonly (SqlValue | undefined)[]): string {
  return parts.map(String).join(':');
}

function checkTables(database: SqlDatabase): Finding[] {
  const findings = distributedOtherwise(database).map(({ table, fault }) =>
    bad(
      `Citus: ${table} ${fault}.`,
      `Stop imports. Run "select undistribute_table('${table}')" on the coordinator, then npm run distribute.`,
    ),
  );
  const missing = undistributed(database);
  if (missing.length > 0) {
    findings.push(
      warn(
        `Citus: ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} on the coordinator alone.`,
        'Run npm run distribute.',
      ),
    );
  }
  const left = tablesWithLocalRows(database);
  if (left.length > 0) {
    findings.push(
      warn(
        `Citus: the coordinator still holds rows of ${left.join(', ')} that were moved to the workers.`,
        'Run npm run distribute. It removes them.',
      ),
    );
  }
  return findings.length > 0
    ? findings
    : [ok('Citus: every table that grows with the packages is distributed.')];
}

import { distributedOtherwise, REFERENCE, undistributed } from '../storage/distribute.ts';
import type { SqlDatabase, SqlValue } from '../storage/sql-database.ts';
import { bad, type Finding, ok } from './finding.ts';

/** Checks that all nodes of Citus have the same copy of each dictionary. */
export function checkCitusCopies(database: SqlDatabase): Finding[] {
  // These have been reported.
  const others = new Set([
    ...undistributed(database),
    ...distributedOtherwise(database).map(({ table }) => table),
  ]);
  const findings = REFERENCE.filter((table) => !others.has(table)).flatMap((table) =>
    checkCopies(database, table),
  );
  return findings.length > 0 ? findings : [ok('Citus: the nodes have the same dictionaries.')];
}

function checkCopies(database: SqlDatabase, table: string): Finding[] {
  const look = () => copiesOf(database, table);
  const copies = isSame(look()) ? [] : look();
  // An import that commits between the nodes makes them differ for a moment only.
  if (isSame(copies)) return [];
  const described = copies.map(([node, result]) => `${String(node)} has ${String(result)}`);
  return [
    bad(
      `Citus: the copies of ${table} differ: ${described.join('; ')}.`,
      `Stop imports and find out which copy is right. Then, on the coordinator: "select undistribute_table('${table}')" keeps the coordinator's copy, and npm run distribute copies it to every node.`,
    ),
  ];
}

function isSame(copies: readonly SqlValue[][]): boolean {
  return new Set(copies.map(([, result]) => result)).size <= 1;
}

/** Each node with the number of rows and the checksum of its copy. Nodes read a dictionary from their own copy. */
function copiesOf(database: SqlDatabase, table: string): SqlValue[][] {
  // A sum of hashes does not depend on the order of the rows.
  const sum = `select count(*) || ' rows, checksum ' || coalesce(sum(hashtextextended(copy::text, 0)), 0)
    from ${table} as copy`;
  // The coordinator is asked here: it may not be allowed to connect to itself as this user.
  const own = database.prepare(sum).row()?.[0] ?? null;
  const ofWorkers = database
    .prepare(
      `select nodename || ':' || nodeport, result, success::int
        from run_command_on_workers('${sum.replaceAll("'", "''")}') order by nodename, nodeport`,
    )
    .rows();
  const failed = ofWorkers.find(([, , isDone]) => isDone !== 1);
  if (failed !== undefined)
    throw new Error(`${String(failed[0])} does not read ${table}: ${String(failed[1])}`);
  return [['the coordinator', own], ...ofWorkers];
}

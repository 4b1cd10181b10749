import type { SqlDatabase, SqlInput, SqlStatement } from './sql-database.ts';
import { sqlTag } from './sql-tag.ts';

/** A database that calls `check` before each statement. What it throws ends the work between two statements. */
export function interruptible(database: SqlDatabase, check: () => void): SqlDatabase {
  const prepare = (sql: string) => checked(database.prepare(sql), check);
  return { ...database, prepare, sql: sqlTag(prepare) };
}

function checked(statement: SqlStatement, check: () => void): SqlStatement {
  const before =
    <Result>(run: (...values: readonly SqlInput[]) => Result) =>
    (...values: readonly SqlInput[]): Result => {
      check();
      return run(...values);
    };
  return {
    get: before(statement.get),
    all: before(statement.all),
    row: before(statement.row),
    rows: before(statement.rows),
    iterate: before(statement.iterate),
    run: before(statement.run),
    start: before(statement.start),
  };
}

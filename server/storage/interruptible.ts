import type { SqlDatabase, SqlInput, SqlSession, SqlStatement, SqlValue } from './sql-database.ts';
import { sqlTag } from './sql-tag.ts';

const CHECK_EVERY_ROWS = 1_000;

/** A store that calls `check` before each statement and between iterated rows. `check` may throw. */
export function interruptible(database: SqlDatabase, check: () => void): SqlDatabase {
  return {
    ...checkedSession(database, check),
    read: (work) => database.read((tx) => work(checkedSession(tx, check))),
  };
}

function checkedSession<S extends SqlSession>(session: S, check: () => void): S {
  const prepare = (sql: string) => checked(session.prepare(sql), check);
  return { ...session, prepare, sql: sqlTag(prepare) };
}

function checked(statement: SqlStatement, check: () => void): SqlStatement {
  const before =
    <Result>(run: (...values: readonly SqlInput[]) => Promise<Result>) =>
    async (...values: readonly SqlInput[]): Promise<Result> => {
      check();
      return run(...values);
    };
  return {
    get: before(statement.get),
    all: before(statement.all),
    row: before(statement.row),
    rows: before(statement.rows),
    iterate: (...values) => checkedRows(statement.iterate(...values), check),
    run: before(statement.run),
  };
}

async function* checkedRows(rows: AsyncIterable<SqlValue[]>, check: () => void): AsyncGenerator<SqlValue[]> {
  check();
  let read = 0;
  for await (const row of rows) {
    read += 1;
    if (read % CHECK_EVERY_ROWS === 0) check();
    yield row;
  }
}

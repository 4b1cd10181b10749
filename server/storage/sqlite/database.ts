import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { SqlDatabase, SqlInput, SqlRow, SqlStatement, SqlValue } from '../sql-database.ts';
import { sqlTag } from '../sql-tag.ts';

/** An open SQLite connection as a `SqlDatabase`, which owns and closes it. */
export function sqliteDatabase(connection: DatabaseSync): SqlDatabase {
  const prepare = (sql: string) => sqliteStatement(connection, sql);
  return {
    engine: 'sqlite',
    sql: sqlTag(prepare),
    prepare,
    exec: (sql) => connection.exec(sql),
    anyOf: (expression) => `${expression} in (select value from json_each(?))`,
    begin: () => connection.exec('begin immediate'),
    beginReading: () => connection.exec('begin'),
    commit: () => connection.exec('commit'),
    rollback() {
      // A full disk or a failing one has ended the transaction already.
      if (connection.isTransaction) connection.exec('rollback');
    },
    tryLock: () => true,
    overwriteDeleted() {
      // The journal is written into the file and cut off; that waits for readers as long as for a lock.
      return connection.prepare('pragma wal_checkpoint(truncate)').get()?.busy === 0;
    },
    close: () => connection.close(),
  };
}

function sqliteStatement(connection: DatabaseSync, sql: string): SqlStatement {
  // Prepared at once, so that a wrong statement is known where it was written.
  const named = connection.prepare(sql);
  let listed: StatementSync | null = null;
  const inOrder = (): StatementSync => {
    if (listed === null) {
      listed = connection.prepare(sql);
      listed.setReturnArrays(true);
    }
    return listed;
  };
  return {
    get: (...values) => named.get(...values.map(bound)) as SqlRow | undefined,
    all: (...values) => named.all(...values.map(bound)) as SqlRow[],
    row: (...values) => inOrder().get(...values.map(bound)) as unknown as SqlValue[] | undefined,
    rows: (...values) => inOrder().all(...values.map(bound)) as unknown as SqlValue[][],
    iterate: (...values) => inOrder().iterate(...values.map(bound)) as unknown as Iterable<SqlValue[]>,
    run: (...values) => ({ changes: Number(named.run(...values.map(bound)).changes) }),
  };
}

/** Lists travel as JSON, which `anyOf` unpacks. */
function bound(value: SqlInput): SQLInputValue {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  return JSON.stringify(value);
}

import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { runTransaction } from '../run-transaction.ts';
import type { SqlDatabase, SqlInput, SqlRow, SqlStatement, SqlValue } from '../sql-database.ts';
import { sqlTag } from '../sql-tag.ts';
import { type TakeLock, takeLockWithin, withoutWaiting } from './lock-wait.ts';

/**
 * A `SqlDatabase` on an open SQLite connection, which it owns and closes. `requireFile` throws if what is written would
 * be lost. `takeLock` runs what takes the write lock.
 */
export function sqliteDatabase(
  connection: DatabaseSync,
  requireFile: () => void = () => {},
  takeLock: TakeLock = (take) => take(),
): SqlDatabase {
  const prepare = (sql: string) => sqliteStatement(connection, sql, requireFile, takeLock);
  return {
    engine: 'sqlite',
    sql: sqlTag(prepare),
    prepare,
    exec: (sql) => connection.exec(sql),
    anyOf: (expression) => `${expression} in (select value from json_each(?))`,
    begin() {
      requireFile();
      takeLock(() => connection.exec('begin immediate'));
    },
    // The transaction holds the only lock that there is.
    lock() {},
    beginReading: () => connection.exec('begin'),
    commit() {
      requireFile();
      connection.exec('commit');
    },
    rollback() {
      // A disk error has already ended the transaction.
      if (connection.isTransaction) connection.exec('rollback');
    },
    writeTogether(work) {
      requireFile();
      takeLockWithin(connection, SHORT_WRITE_WAITS, () => connection.exec('begin immediate'));
      return runTransaction(this, work);
    },
    requireFile,
    requireDays() {},
    tryLock: () => true,
    share() {},
    unshare() {},
    shareInTransaction() {},
    tryAlone: () => true,
    addRows(table, columns, rows) {
      const values = columns.map(() => '?').join(', ');
      const insert = prepare(`insert into ${table} (${columns.join(', ')}) values (${values})`);
      for (const row of rows) insert.run(...row);
    },
    overwriteDeleted: () =>
      // A truncating checkpoint that waits for a reader holds the write lock for as long as it waits.
      withoutWaiting(connection, () => {
        // Copies most of the journal into the file without a lock, so that the truncation is short.
        connection.exec('pragma wal_checkpoint(passive)');
        return connection.prepare('pragma wal_checkpoint(truncate)').get()?.busy === 0;
      }),
    close: () => connection.close(),
  };
}

/**
 * Milliseconds that short writes wait for the lock. An import may hold it for longer. Who comes meanwhile waits for these
 * and then for the lock: for twice as long at most.
 */
const SHORT_WRITE_WAITS = 1_000;

function sqliteStatement(
  connection: DatabaseSync,
  sql: string,
  requireFile: () => void,
  takeLock: TakeLock,
): SqlStatement {
  // Prepared at once, so that an invalid statement fails where it is written.
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
    run(...values) {
      const run = () => ({ changes: Number(named.run(...values.map(bound)).changes) });
      if (connection.isTransaction) return run();
      requireFile();
      return takeLock(run);
    },
    start(...values) {
      if (!connection.isTransaction) requireFile();
      const rows = inOrder().all(...values.map(bound)) as unknown as SqlValue[][];
      return () => rows;
    },
  };
}

/** Lists are passed as JSON, which `anyOf` unpacks. */
function bound(value: SqlInput): SQLInputValue {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  return JSON.stringify(value);
}

import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { deadlineIn } from '../../lib/deadline.ts';
import { StoreUnavailable } from '../../lib/store-unavailable.ts';
import type { SqlDatabase, SqlInput, SqlRow, SqlStatement, SqlValue } from '../sql-database.ts';
import { sqlTag } from '../sql-tag.ts';
import { isStoreLocked } from '../store-locked.ts';

/**
 * The `busy_timeout` of connections with `lockWaitMs`. Short, because SQLite sleeps longer after each
 * attempt, and would rarely find the lock free next to a busy writer.
 */
export const LOCK_ATTEMPT_MS = 5;

/**
 * A `SqlDatabase` that owns an open SQLite connection. `requireFile` throws if writes would be lost.
 * `lockWaitMs` is how long to wait for the write lock before throwing `StoreUnavailable`.
 */
export function sqliteDatabase(
  connection: DatabaseSync,
  requireFile: () => void = () => {},
  lockWaitMs = 0,
): SqlDatabase {
  const takeLock: TakeLock = lockWaitMs === 0 ? (take) => take() : (take) => retryFor(lockWaitMs, take);
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
    // The transaction already holds SQLite's only lock.
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
    requireFile,
    requireDays() {},
    waitForCommits() {},
    distributeNewTables() {},
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
    overwriteDeleted() {
      // Copies most of the journal without a lock, to keep the truncation short.
      connection.exec('pragma wal_checkpoint(passive)');
      const timeout = connection.prepare('pragma busy_timeout').get()?.timeout;
      // No timeout, because a truncating checkpoint holds the write lock while it waits for readers.
      connection.exec('pragma busy_timeout = 0');
      try {
        return connection.prepare('pragma wal_checkpoint(truncate)').get()?.busy === 0;
      } finally {
        connection.exec(`pragma busy_timeout = ${Number(timeout)}`);
      }
    },
    close: () => connection.close(),
    [Symbol.dispose]: () => connection.close(),
  };
}

/** Runs a statement that takes the write lock. */
type TakeLock = <T>(take: () => T) => T;

function retryFor<T>(ms: number, take: () => T): T {
  const deadline = deadlineIn(ms);
  for (;;) {
    try {
      return take();
    } catch (cause) {
      if (!isStoreLocked(cause)) throw cause;
      if (deadline.hasPassed) throw new StoreUnavailable({ cause });
    }
  }
}

function sqliteStatement(
  connection: DatabaseSync,
  sql: string,
  requireFile: () => void,
  takeLock: TakeLock,
): SqlStatement {
  // Prepared here, so that an invalid statement throws where it is written.
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

/** Passes lists as JSON, which `anyOf` unpacks. */
function bound(value: SqlInput): SQLInputValue {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  return JSON.stringify(value);
}

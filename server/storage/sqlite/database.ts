import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { deadlineIn } from '../../lib/deadline.ts';
import { inTurn } from '../../lib/in-turn.ts';
import { StoreUnavailable } from '../../lib/store-unavailable.ts';
import type {
  SqlDatabase,
  SqlInput,
  SqlRow,
  SqlStatement,
  SqlTransaction,
  SqlValue,
} from '../sql-database.ts';
import { sqlTag } from '../sql-tag.ts';
import { isStoreLocked } from '../store-locked.ts';
import { transactionScope } from '../transaction-scope.ts';

/** How often to try for a lock that another connection holds. */
const TRY_EVERY_MS = 1;

/**
 * A `SqlDatabase` that owns an open SQLite connection without a `busy_timeout`, which would block the thread.
 * `requireFile` throws if writes would be lost. `lockWaitMs` is how long to wait for the write lock before
 * throwing `StoreUnavailable`.
 */
export function sqliteDatabase(
  connection: DatabaseSync,
  requireFile: () => void = () => {},
  lockWaitMs = 0,
): SqlDatabase {
  const turns = inTurn();
  const scope = transactionScope<true>();

  /** Runs a statement in its transaction, or between the others. */
  async function execute<T>(statement: () => T): Promise<T> {
    if (scope.current() !== null) return statement();
    for (let busy = turns.idle(); busy !== null; busy = turns.idle()) await busy;
    // A statement that returns rows may write, too.
    return whenUnlocked(lockWaitMs, statement);
  }

  /** As `execute`, for statements that write. */
  function change<T>(statement: () => T): Promise<T> {
    return execute(() => {
      if (!connection.isTransaction) requireFile();
      return statement();
    });
  }

  function transaction<T>(
    isWriting: boolean,
    waitMs: number,
    work: (tx: SqlTransaction) => Promise<T>,
  ): Promise<T> {
    if (scope.current() !== null) throw new Error('A transaction was begun inside another');
    return turns.run(async () => {
      await whenUnlocked(waitMs, () => connection.exec(isWriting ? 'begin immediate' : 'begin'));
      try {
        const result = await scope.run(true, () => work(database));
        if (isWriting) requireFile();
        connection.exec('commit');
        return result;
      } catch (error) {
        // A disk error has already ended the transaction.
        if (connection.isTransaction) connection.exec('rollback');
        throw error;
      }
    });
  }

  function prepare(sql: string): SqlStatement {
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
      get: (...values) => execute(() => named.get(...values.map(bound)) as SqlRow | undefined),
      all: (...values) => execute(() => named.all(...values.map(bound)) as SqlRow[]),
      row: (...values) =>
        execute(() => inOrder().get(...values.map(bound)) as unknown as SqlValue[] | undefined),
      rows: (...values) => execute(() => inOrder().all(...values.map(bound)) as unknown as SqlValue[][]),
      async *iterate(...values) {
        const rows = await execute(
          () => inOrder().iterate(...values.map(bound)) as unknown as Iterable<SqlValue[]>,
        );
        yield* rows;
      },
      run: (...values) => change(() => ({ changes: Number(named.run(...values.map(bound)).changes) })),
    };
  }

  const database: SqlDatabase = {
    engine: 'sqlite',
    sql: sqlTag(prepare),
    prepare,
    exec: (sql) => change(() => connection.exec(sql)),
    anyOf: (expression) => `${expression} in (select value from json_each(?))`,
    async addRows(table, columns, rows) {
      const values = columns.map(() => '?').join(', ');
      const insert = connection.prepare(`insert into ${table} (${columns.join(', ')}) values (${values})`);
      // A transaction has the lock, so no row needs to be tried again.
      if (Symbol.iterator in rows && scope.current() !== null) for (const row of rows) insert.run(...row);
      else for await (const row of rows) await change(() => insert.run(...row));
    },
    // The transaction already holds SQLite's only lock.
    async lock() {},
    async share() {},
    tryAlone: async () => true,
    read: (work) => transaction(false, lockWaitMs, work),
    async write(_lock, work, waitMs = lockWaitMs) {
      requireFile();
      return transaction(true, waitMs, work);
    },
    requireFile,
    tryLock: async () => true,
    holdShared: async () => async () => {},
    overwriteDeleted: () =>
      execute(() => {
        // Copies most of the journal without a lock, to keep the truncation short.
        connection.exec('pragma wal_checkpoint(passive)');
        return connection.prepare('pragma wal_checkpoint(truncate)').get()?.busy === 0;
      }),
    async close() {
      for (let busy = turns.idle(); busy !== null; busy = turns.idle()) await busy;
      connection.close();
    },
    [Symbol.asyncDispose]: () => database.close(),
  };
  return database;
}

/** Runs what needs the write lock, and tries again while another connection holds it. */
async function whenUnlocked<T>(ms: number, attempt: () => T): Promise<T> {
  const deadline = deadlineIn(ms);
  for (;;) {
    try {
      return attempt();
    } catch (cause) {
      if (!isStoreLocked(cause)) throw cause;
      if (deadline.hasPassed) throw new StoreUnavailable({ cause });
    }
    await sleep(TRY_EVERY_MS);
  }
}

/** Passes lists as JSON, which `anyOf` unpacks. */
function bound(value: SqlInput): SQLInputValue {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  return JSON.stringify(value);
}

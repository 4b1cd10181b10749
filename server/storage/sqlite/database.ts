import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { deadlineIn } from '../../lib/deadline.ts';
import { inTurn } from '../../lib/in-turn.ts';
import { memoize } from '../../lib/memoize.ts';
import { StoreUnavailable } from '../../lib/store-unavailable.ts';
import type {
  SqlDatabase,
  SqlInput,
  SqlRow,
  SqlSession,
  SqlStatement,
  SqlTransaction,
  SqlValue,
} from '../sql-database.ts';
import { sqlTag } from '../sql-tag.ts';
import { isStoreLocked } from '../store-locked.ts';
import { TRANSACTION_ENDED, transactionBlocks } from '../transaction-blocks.ts';

/** How often to try for a lock that another connection holds. */
const TRY_EVERY_MS = 1;

/** The most statements that stay prepared: those used last. */
const MAX_STATEMENTS = 500;

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
  const blocks = transactionBlocks();
  const statementOf = memoize(MAX_STATEMENTS, (sql: string) => {
    // Prepared here, so that an invalid statement throws where it is written.
    const named = connection.prepare(sql);
    let listed: StatementSync | null = null;
    return {
      named,
      inOrder(): StatementSync {
        listed ??= inArrays(connection.prepare(sql));
        return listed;
      },
    };
  });

  /** Runs a statement between the transactions. One that returns rows may write, too. */
  async function alone<T>(statement: () => T): Promise<T> {
    blocks.requireOutside();
    for (let busy = turns.idle(); busy !== null; busy = turns.idle()) await busy;
    return whenUnlocked(lockWaitMs, statement);
  }

  function transaction<T>(
    isWriting: boolean,
    waitMs: number,
    work: (tx: SqlTransaction) => Promise<T>,
  ): Promise<T> {
    blocks.requireOutside();
    let hasEnded = false;
    const tx: SqlTransaction = {
      ...sessionOver(async (statement) => {
        if (hasEnded) throw new Error(TRANSACTION_ENDED);
        return statement();
      }),
      // The transaction already holds SQLite's only lock.
      async lock() {},
      async share() {},
      tryAlone: async () => true,
    };
    return turns.run(async () => {
      await whenUnlocked(waitMs, () => connection.exec(isWriting ? 'begin immediate' : 'begin'));
      try {
        const result = await blocks.run(() => work(tx));
        if (isWriting) requireFile();
        connection.exec('commit');
        return result;
      } catch (error) {
        // A disk error has already ended the transaction.
        if (connection.isTransaction) connection.exec('rollback');
        throw error;
      } finally {
        hasEnded = true;
      }
    });
  }

  /** The statements of a transaction, or of none, which `execute` runs. */
  function sessionOver(execute: <T>(statement: () => T) => Promise<T>): SqlSession {
    const change = <T>(statement: () => T): Promise<T> =>
      execute(() => {
        if (!connection.isTransaction) requireFile();
        return statement();
      });
    const prepare = (sql: string): SqlStatement => {
      const { named, inOrder } = statementOf(sql);
      return {
        get: (...values) => execute(() => named.get(...values.map(bound)) as SqlRow | undefined),
        all: (...values) => execute(() => named.all(...values.map(bound)) as SqlRow[]),
        row: (...values) =>
          execute(() => inOrder().get(...values.map(bound)) as unknown as SqlValue[] | undefined),
        rows: (...values) => execute(() => inOrder().all(...values.map(bound)) as unknown as SqlValue[][]),
        async *iterate(...values) {
          // A statement of its own, because others may run before its last row.
          const rows = inArrays(connection.prepare(sql));
          yield* await execute(() => rows.iterate(...values.map(bound)) as unknown as Iterable<SqlValue[]>);
        },
        run: (...values) => change(() => ({ changes: Number(named.run(...values.map(bound)).changes) })),
      };
    };
    return {
      engine: 'sqlite',
      store: connection,
      sql: sqlTag(prepare),
      prepare,
      exec: (sql) => change(() => connection.exec(sql)),
      anyOf: (expression) => `${expression} in (select value from json_each(?))`,
      async addRows(table, columns, rows) {
        const values = columns.map(() => '?').join(', ');
        const { named } = statementOf(`insert into ${table} (${columns.join(', ')}) values (${values})`);
        const insert = (row: readonly SqlValue[]) => named.run(...row);
        // A transaction has the lock, so no row needs to be tried again.
        if (Symbol.iterator in rows && execute !== alone) {
          await execute(() => {
            for (const row of rows) insert(row);
          });
        } else for await (const row of rows) await change(() => insert(row));
      },
    };
  }

  const database: SqlDatabase = {
    ...sessionOver(alone),
    read: (work) => transaction(false, lockWaitMs, work),
    async write(_lock, work, waitMs = lockWaitMs) {
      requireFile();
      return transaction(true, waitMs, work);
    },
    requireFile,
    tryLock: async () => true,
    holdShared: async () => async () => {},
    overwriteDeleted: () =>
      alone(() => {
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

function inArrays(statement: StatementSync): StatementSync {
  statement.setReturnArrays(true);
  return statement;
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

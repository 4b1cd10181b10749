import { StoreUnavailable } from '../../../lib/store-unavailable.ts';
import type { SqlDatabase, SqlInput, SqlRow, SqlStatement, SqlValue } from '../../sql-database.ts';
import { sqlTag } from '../../sql-tag.ts';
import { unreachableDays } from '../../unreachable-days.ts';
import { numbered } from '../client.ts';
import { lockNumbers, takeLock } from '../locks.ts';
import { openSyncConnection } from './connection.ts';
import { copyParts } from './copy-rows.ts';
import type { SyncConnectionOptions, SyncResult } from './protocol.ts';

/** Rows per fetch of a cursor. */
const FETCH_SIZE = 5_000;

/** How long a cursor may be idle, as while a feed is sorted. It holds no lock that others wait for. */
const CURSOR_IDLE_TIMEOUT_MS = 6 * 60 * 60 * 1_000;

const BEGIN_CURSOR = `begin read only; set local idle_in_transaction_session_timeout = ${CURSOR_IDLE_TIMEOUT_MS}`;

/** A `SqlDatabase` on a synchronous connection. For `shared`, see `PostgresAddress.unreachableDays`. */
export function postgresDatabase(options: SyncConnectionOptions, shared?: SharedArrayBuffer): SqlDatabase {
  const connection = openSyncConnection(options);
  const unreachable = shared === undefined ? null : unreachableDays(shared);
  let isInTransaction = false;
  /** Counts cursors, to give each a unique name. */
  let walks = 0;
  const exec = (text: string) => void connection.send({ kind: 'script', text });

  function prepare(sql: string): SqlStatement {
    const text = numbered(sql);
    const start = (values: readonly SqlInput[]) =>
      connection.start({ kind: 'statement', text, values: values.map(storable), isKept: true });
    const run = (values: readonly SqlInput[]) => start(values)();
    return {
      get: (...values) => named(run(values))[0],
      all: (...values) => named(run(values)),
      row: (...values) => run(values).rows[0],
      rows: (...values) => run(values).rows,
      iterate: (...values) => walk(text, values.map(storable)),
      run: (...values) => ({ changes: run(values).changes }),
      start(...values) {
        const result = start(values);
        return () => result().rows;
      },
    };
  }

  /** A cursor needs a transaction: the caller's, or its own read-only one. */
  function* walk(query: string, values: readonly SqlInput[]): Generator<SqlValue[]> {
    const isOwn = !isInTransaction;
    walks += 1;
    const cursor = `walk_${walks}`;
    if (isOwn) connection.send({ kind: 'begin', text: BEGIN_CURSOR });
    try {
      const declared = `declare ${cursor} no scroll cursor for ${query}`;
      connection.send({ kind: 'statement', text: declared, values, isKept: false });
      const text = `fetch forward ${FETCH_SIZE} from ${cursor}`;
      const fetch = () => connection.start({ kind: 'statement', text, values: [], isKept: false });
      for (let fetched: (() => SyncResult) | null = fetch(); fetched !== null; ) {
        const { rows } = fetched();
        // Lets the server read the next rows while the caller uses these.
        fetched = rows.length < FETCH_SIZE ? null : fetch();
        yield* rows;
      }
      if (!isOwn) exec(`close ${cursor}`);
    } finally {
      if (isOwn) connection.send({ kind: 'end', text: 'rollback' });
    }
  }

  return {
    engine: 'postgresql',
    sql: sqlTag(prepare),
    prepare,
    exec,
    anyOf: (expression) => `${expression} = any(?)`,
    begin(lock = 'records') {
      // Begins and locks in one round trip. Later reads see what the lock's previous holder has committed.
      connection.send({ kind: 'begin', text: lock === null ? 'begin' : `begin; ${takeLock(lock)}` });
      isInTransaction = true;
    },
    lock: (lock) => exec(takeLock(lock)),
    beginReading() {
      connection.send({ kind: 'begin', text: 'begin isolation level repeatable read read only' });
      isInTransaction = true;
    },
    commit() {
      connection.send({ kind: 'end', text: 'commit' });
      isInTransaction = false;
    },
    rollback() {
      isInTransaction = false;
      connection.send({ kind: 'end', text: 'rollback' });
    },
    requireFile() {},
    requireDays(days) {
      if (unreachable !== null && days.some(unreachable.has)) throw new StoreUnavailable();
    },
    waitForCommits: () => void connection.send({ kind: 'task', task: 'wait for commits' }),
    distributeNewTables: () => void connection.send({ kind: 'task', task: 'distribute new tables' }),
    tryLock(name) {
      const text = 'select pg_try_advisory_lock(hashtextextended($1, 0))::int';
      return connection.send({ kind: 'statement', text, values: [name], isKept: false }).rows[0]?.[0] === 1;
    },
    share: (name) => exec(`select pg_advisory_lock_shared(${lockNumbers(name)})`),
    unshare: (name) => exec(`select pg_advisory_unlock_shared(${lockNumbers(name)})`),
    shareInTransaction: (name) => exec(`select pg_advisory_xact_lock_shared(${lockNumbers(name)})`),
    tryAlone(name) {
      const text = `select pg_try_advisory_xact_lock(${lockNumbers(name)})::int`;
      return connection.send({ kind: 'statement', text, values: [], isKept: false }).rows[0]?.[0] === 1;
    },
    addRows(table, columns, rows) {
      const text = `copy ${table} (${columns.join(', ')}) from stdin`;
      let finish: (() => SyncResult) | null = null;
      for (const data of copyParts(rows)) {
        finish?.();
        // Lets the server store this part while the next one is prepared.
        finish = connection.start({ kind: 'copy', text, data });
      }
      // In a transaction, does not wait. If the copy failed, the next statement throws.
      if (!isInTransaction) finish?.();
    },
    overwriteDeleted(tables) {
      // Skips a locked table, because Citus locks it as long as it moves the rows.
      exec(`vacuum (skip_locked) ${tables.join(', ')}`);
      return true;
    },
    close: () => connection.close(),
    [Symbol.dispose]: () => connection.close(),
  };
}

function named({ columns, rows }: SyncResult): SqlRow[] {
  return rows.map((row) => Object.fromEntries(columns.map((column, at) => [column, row[at] ?? null])));
}

/** PostgreSQL's text cannot contain NUL, so it is removed. */
function storable(value: SqlInput): SqlValue {
  if (typeof value === 'string') return withoutNul(value);
  return isList(value) ? arrayLiteral(value) : value;
}

function isList(value: SqlInput): value is readonly number[] | readonly string[] {
  return Array.isArray(value);
}

/** A list as an array literal, which is cheaper to send to the worker than an array. */
function arrayLiteral(values: readonly number[] | readonly string[]): string {
  return `{${values.map((value: number | string) => (typeof value === 'number' ? value : quoted(value))).join(',')}}`;
}

function quoted(text: string): string {
  return `"${withoutNul(/["\\]/.test(text) ? text.replaceAll(/["\\]/g, '\\$&') : text)}"`;
}

function withoutNul(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text;
}

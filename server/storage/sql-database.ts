/** A column's value. Integers and fractions are both numbers. */
export type SqlValue = null | number | string | Uint8Array;

/** A statement's parameter. `anyOf` takes a list as its one value. */
export type SqlInput = SqlValue | readonly number[] | readonly string[];

export type SqlRow = Record<string, SqlValue>;

/** Runs a read-only statement. Each row is an array in column order. */
export type ReadRows = (sql: string, values: readonly SqlInput[]) => Promise<SqlValue[][]>;

/** Reads from a store without blocking the thread, with either engine. */
export interface RowReader {
  rows: ReadRows;
  /** SQL for "the expression is in a list". The list is bound as one value. */
  anyOf(expression: string): string;
  /** SQL for "the expressions together are in a list of integer rows". The list is bound as one JSON text. */
  anyOfRows(expressions: readonly string[]): string;
}

/** A prepared statement. Values are in the order of its `?`. */
export interface SqlStatement {
  /** The first row, by column name. */
  get(...values: readonly SqlInput[]): SqlRow | undefined;
  all(...values: readonly SqlInput[]): SqlRow[];
  /** The first row as an array in column order, which is cheaper than names for many rows. */
  row(...values: readonly SqlInput[]): SqlValue[] | undefined;
  rows(...values: readonly SqlInput[]): SqlValue[][];
  /** Rows read one at a time, for results that do not fit into memory. */
  iterate(...values: readonly SqlInput[]): Iterable<SqlValue[]>;
  run(...values: readonly SqlInput[]): { changes: number };
  /** Sends the statement. The returned function waits. If it is not called, a later statement throws any error. */
  start(...values: readonly SqlInput[]): () => SqlValue[][];
}

/** Runs tagged statements, each prepared once. Values in `${}` are bound. `Row` declares the columns. */
export interface SqlTag {
  get<Row = SqlRow>(strings: TemplateStringsArray, ...values: readonly SqlInput[]): Row | undefined;
  all<Row = SqlRow>(strings: TemplateStringsArray, ...values: readonly SqlInput[]): Row[];
  run(strings: TemplateStringsArray, ...values: readonly SqlInput[]): { changes: number };
}

/**
 * Locks of write transactions. A transaction takes them in this order, to avoid deadlock. `history`: the
 * sample's past and the removal of old rows. `alerts`: claims, limits and the logical clock. `records`:
 * everything else.
 */
export type StoreLock =
  | 'schema'
  | 'dictionaries'
  | 'price blocks'
  | 'alerts'
  | 'records'
  | 'history'
  | `offers of ${string}`;

/**
 * A connection to the store, with either engine. It is synchronous, so that nothing else in the thread runs
 * inside a transaction. Statements use SQL that both engines support.
 */
export interface SqlDatabase {
  readonly engine: 'sqlite' | 'postgresql';
  readonly sql: SqlTag;
  prepare(sql: string): SqlStatement;
  exec(sql: string): void;
  /** SQL for "the expression is in a list". The list is bound as one value. */
  anyOf(expression: string): string;
  /** Begins a write transaction, and takes `lock` unless it is null. SQLite has only one lock. */
  begin(lock?: StoreLock | null): void;
  /** Takes a further lock until the open transaction ends. `StoreLock` has the order. */
  lock(lock: StoreLock): void;
  /** Begins a read transaction. All its statements see the store's current state. See `inSnapshot`. */
  beginReading(): void;
  commit(): void;
  /** Rolls back the open transaction. Does nothing if a failure has already ended it. */
  rollback(): void;
  /** Throws `StoreUnavailable` if the embedded store's file was removed or replaced since it was opened. */
  requireFile(): void;
  /** Throws `StoreUnavailable` if packages of these departure days cannot be reached. */
  requireDays(days: readonly number[]): void;
  /** Waits until earlier commits are visible, as Citus may release their locks before. Call it under the lock. */
  waitForCommits(): void;
  distributeNewTables(): void;
  /** Takes a lock until this connection closes; false if another server has it. Always true in SQLite. */
  tryLock(name: string): boolean;
  /** Shares a lock until this connection closes. Waits while another connection has it exclusively. */
  share(name: string): void;
  unshare(name: string): void;
  /** Shares a lock until the open transaction ends. A reopened connection no longer holds it. */
  shareInTransaction(name: string): void;
  /** Tries to lock exclusively until the open transaction ends. Returns false if another connection holds the lock. */
  tryAlone(name: string): boolean;
  /** Adds rows. In a transaction, an error may come with the next statement or the commit. */
  addRows(table: string, columns: readonly string[], rows: Iterable<readonly SqlValue[]>): void;
  /** Overwrites deleted data of these tables without waiting. Returns false if a reader prevents it. */
  overwriteDeleted(tables: readonly string[]): boolean;
  close(): void;
  /** Closes the connection at the end of the block that declares it with `using`. */
  [Symbol.dispose](): void;
}

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
  get(...values: readonly SqlInput[]): Promise<SqlRow | undefined>;
  all(...values: readonly SqlInput[]): Promise<SqlRow[]>;
  /** The first row as an array in column order, which is cheaper than names for many rows. */
  row(...values: readonly SqlInput[]): Promise<SqlValue[] | undefined>;
  rows(...values: readonly SqlInput[]): Promise<SqlValue[][]>;
  /** Rows read in parts, for results that do not fit into memory. */
  iterate(...values: readonly SqlInput[]): AsyncIterable<SqlValue[]>;
  run(...values: readonly SqlInput[]): Promise<{ changes: number }>;
}

/** Runs tagged statements, each prepared once. Values in `${}` are bound. `Row` declares the columns. */
export interface SqlTag {
  get<Row = SqlRow>(strings: TemplateStringsArray, ...values: readonly SqlInput[]): Promise<Row | undefined>;
  all<Row = SqlRow>(strings: TemplateStringsArray, ...values: readonly SqlInput[]): Promise<Row[]>;
  run(strings: TemplateStringsArray, ...values: readonly SqlInput[]): Promise<{ changes: number }>;
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

/** What a store needs from its caller because Citus may distribute it. */
export interface Cluster {
  /** Waits until earlier commits are visible, as Citus may release their locks before. Call it under the lock. */
  waitForCommits(): Promise<void>;
  /** Throws `StoreUnavailable` if packages of these departure days cannot be reached. */
  requireDays(days: readonly number[]): void;
  distributeNewTables(): Promise<void>;
}

/** Runs statements, which use SQL that both engines support. */
export interface SqlSession {
  readonly engine: 'sqlite' | 'postgresql';
  /** The open store, by which to cache what never changes in it. */
  readonly store: object;
  readonly sql: SqlTag;
  prepare(sql: string): SqlStatement;
  exec(sql: string): Promise<void>;
  /** SQL for "the expression is in a list". The list is bound as one value. */
  anyOf(expression: string): string;
  /** Adds rows. */
  addRows(
    table: string,
    columns: readonly string[],
    rows: Iterable<readonly SqlValue[]> | AsyncIterable<readonly SqlValue[]>,
  ): Promise<void>;
  /** PostgreSQL, which may be a cluster of Citus. */
  cluster?: Cluster;
}

/** The statements of one transaction. They fail once it has ended. */
export interface SqlTransaction extends SqlSession {
  /** Takes a further lock until the transaction ends. `StoreLock` has the order. SQLite has only one lock. */
  lock(lock: StoreLock): Promise<void>;
  /** Shares a lock until the transaction ends. */
  share(name: string): Promise<void>;
  /** Tries to lock exclusively until the transaction ends. Returns false if another connection holds the lock. */
  tryAlone(name: string): Promise<boolean>;
}

/**
 * An open store, with either engine. Its own statements are transactions of their own, and throw in a `read` or
 * `write` block, whose statements are those of `tx`.
 */
export interface SqlDatabase extends SqlSession {
  /** Runs work that sees the store at one moment. A read that meets a lost server is tried once more. */
  read<T>(work: (tx: SqlTransaction) => Promise<T>): Promise<T>;
  /**
   * Runs work in one write transaction, after the store's other ones, and takes `lock` unless it is null. If
   * `work` throws, nothing is written. `waitMs`: how long to wait for another connection's lock in SQLite.
   */
  write<T>(lock: StoreLock | null, work: (tx: SqlTransaction) => Promise<T>, waitMs?: number): Promise<T>;
  /** SQLite: throws `StoreUnavailable` if the store's file was removed or replaced since it was opened. */
  requireFile?(): void;
  /** Takes a lock until the store is closed; false if another server has it. Always true in SQLite. */
  tryLock(name: string): Promise<boolean>;
  /** Shares a lock until the store is closed or the returned function is called. Waits for one that has it alone. */
  holdShared(name: string): Promise<() => Promise<void>>;
  /** Overwrites deleted data of these tables without waiting. Returns false if a reader prevents it. */
  overwriteDeleted(tables: readonly string[]): Promise<boolean>;
  close(): Promise<void>;
  /** Closes the store at the end of the block that declares it with `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

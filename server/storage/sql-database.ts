/** The value of a column. Integers and fractions are both numbers. */
export type SqlValue = null | number | string | Uint8Array;

/** A parameter of a statement. A list is the value of one `?`, written by `anyOf`. */
export type SqlInput = SqlValue | readonly number[] | readonly string[];

/** A row by column name. */
export type SqlRow = Record<string, SqlValue>;

/** Runs a reading statement. Rows are arrays in the order of the columns. */
export type ReadRows = (sql: string, values: readonly SqlInput[]) => Promise<SqlValue[][]>;

/** Reads from a store without blocking the thread, on either engine. */
export interface RowReader {
  rows: ReadRows;
  /** The condition that an expression is one of a list, which is bound as one value. */
  anyOf(expression: string): string;
  /** The condition that expressions together are one of a list of integer rows, bound as one JSON text. */
  anyOfRows(expressions: readonly string[]): string;
}

/** A prepared statement. Values are in the order of its `?`. */
export interface SqlStatement {
  /** The first row, by column name. */
  get(...values: readonly SqlInput[]): SqlRow | undefined;
  all(...values: readonly SqlInput[]): SqlRow[];
  /** The first row, as an array in the order of the columns: cheaper than names for many rows. */
  row(...values: readonly SqlInput[]): SqlValue[] | undefined;
  rows(...values: readonly SqlInput[]): SqlValue[][];
  /** The same rows, read one by one, for results that do not fit into memory. */
  iterate(...values: readonly SqlInput[]): Iterable<SqlValue[]>;
  run(...values: readonly SqlInput[]): { changes: number };
  /** Sends the statement without waiting. The result function waits; an unasked error comes with a later statement. */
  start(...values: readonly SqlInput[]): () => SqlValue[][];
}

/** Tagged statements, each prepared once. A value in `${}` is bound as a parameter. `Row` declares the columns. */
export interface SqlTag {
  get<Row = SqlRow>(strings: TemplateStringsArray, ...values: readonly SqlInput[]): Row | undefined;
  all<Row = SqlRow>(strings: TemplateStringsArray, ...values: readonly SqlInput[]): Row[];
  run(strings: TemplateStringsArray, ...values: readonly SqlInput[]): { changes: number };
}

/**
 * The locks of write transactions, in the order in which a transaction takes them, to avoid deadlock. `history`: the sample's
 * past and the removal of old rows. `alerts`: claims, limits and the logical clock. `records`: everything else.
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
 * One connection to the store, on either engine. It is synchronous, so that nothing else in the thread runs inside a transaction.
 * Statements use the SQL that both engines support.
 */
export interface SqlDatabase {
  readonly engine: 'sqlite' | 'postgresql';
  readonly sql: SqlTag;
  prepare(sql: string): SqlStatement;
  /** Runs statements without parameters or results. */
  exec(sql: string): void;
  /** The condition that an expression is one of a list, which is bound as one value. */
  anyOf(expression: string): string;
  /** Begins a write transaction with a lock; null: without. In SQLite, every write transaction holds the only lock. */
  begin(lock?: StoreLock | null): void;
  /** Takes another lock until the open transaction ends. See `StoreLock` for the order. */
  lock(lock: StoreLock): void;
  /** Begins a read transaction, whose statements all see the current state of the store. See `inSnapshot`. */
  beginReading(): void;
  commit(): void;
  /** Rolls back the open transaction. Does nothing if a failure has already ended it. */
  rollback(): void;
  /** Throws `StoreUnavailable` if an embedded store's file was removed or replaced while it was open. */
  requireFile(): void;
  /** Throws `StoreUnavailable` if the packages of these departure days are known to be unreachable. */
  requireDays(days: readonly number[]): void;
  /** Waits until earlier commits can be read: Citus may release a lock first. Call it after taking the lock. */
  waitForCommits(): void;
  /** For Citus, after a migration. */
  distributeNewTables(): void;
  /** Takes a lock until this connection closes. False if another server holds it. Always true in SQLite. */
  tryLock(name: string): boolean;
  /** Shares a lock with others until this connection closes. Waits while `tryAlone` has it. */
  share(name: string): void;
  unshare(name: string): void;
  /** Shares a lock until the open transaction ends. A reopened connection no longer has it. */
  shareInTransaction(name: string): void;
  /** Takes a lock until the open transaction ends; false if another connection shares it. */
  tryAlone(name: string): boolean;
  /** Adds rows. In a transaction, an error may come with its next statement or its commit. */
  addRows(table: string, columns: readonly string[], rows: Iterable<readonly SqlValue[]>): void;
  /** Overwrites deleted data of these tables. Never waits: false if a reader is in the way. */
  overwriteDeleted(tables: readonly string[]): boolean;
  close(): void;
}

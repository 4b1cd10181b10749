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
  /**
   * The condition that expressions together are one of a list of rows of whole numbers, which is bound as one JSON text. A
   * list for each of them would match, and look up, all their combinations.
   */
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
  /**
   * Sends the statement, and goes on while the store works at it. What it returns waits for the rows. If nobody asks for
   * them, an error comes with the next statement of the transaction whose result somebody asks for, or with its commit.
   */
  start(...values: readonly SqlInput[]): () => SqlValue[][];
}

/** Tagged statements, each prepared once. A value in `${}` is bound as a parameter. */
export interface SqlTag {
  get(strings: TemplateStringsArray, ...values: readonly SqlInput[]): SqlRow | undefined;
  all(strings: TemplateStringsArray, ...values: readonly SqlInput[]): SqlRow[];
  run(strings: TemplateStringsArray, ...values: readonly SqlInput[]): { changes: number };
}

/**
 * The locks of write transactions. Transactions with different locks are open side by side in PostgreSQL. A transaction
 * that takes several takes them in this order, to avoid deadlock:
 *
 * - `schema`: migrations;
 * - `offers of ...`: the packages of one importer;
 * - `dictionaries`: the numbers of new records;
 * - `price blocks`: a block has the packages of several importers, so it is written by one of them at a time;
 * - `history`: the sample's past and what is removed with age;
 * - `alerts`: claims, limits and the logical clock;
 * - `records`: everything else.
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
 * One connection to the store, on either engine. It is synchronous, so that nothing else in the thread runs inside a
 * transaction; use it in a thread that may block. Statements use the SQL that both engines support. What differs is in
 * the engine's own files.
 */
export interface SqlDatabase {
  readonly engine: 'sqlite' | 'postgresql';
  readonly sql: SqlTag;
  prepare(sql: string): SqlStatement;
  /** Runs statements without parameters or results. */
  exec(sql: string): void;
  /** The condition that an expression is one of a list, which is bound as one value. */
  anyOf(expression: string): string;
  /**
   * Begins a write transaction that holds a lock; see `inTransaction`. In the embedded store, only one write transaction
   * is open at a time, and it holds every lock. Null: in PostgreSQL it holds none.
   */
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
  /**
   * Throws `StoreUnavailable` if the packages of these departure days are known to be unreachable: a statement would wait
   * for them.
   */
  requireDays(days: readonly number[]): void;
  /**
   * Waits until all that was committed before can be read. Call it with a lock, before reading what the lock's previous
   * holders have written. Only Citus commits on some nodes after it has released the lock; elsewhere this does nothing.
   */
  waitForCommits(): void;
  /** Called after a migration. Only Citus has tables to distribute. */
  distributeNewTables(): void;
  /**
   * Takes a lock until this connection closes. False if another server holds it. A data folder has only one server, so
   * its locks are always free.
   */
  tryLock(name: string): boolean;
  /** Shares a lock with others until this connection closes. Waits while `tryAlone` has it. */
  share(name: string): void;
  unshare(name: string): void;
  /**
   * Shares a lock until the open transaction ends. A connection that was lost, and opened again, no longer has what it
   * shared before.
   */
  shareInTransaction(name: string): void;
  /** Takes a lock until the open transaction ends, unless another connection shares it: then it is false. */
  tryAlone(name: string): boolean;
  /**
   * Adds rows, as many at a time as are fast. In a transaction, an error may come with its next statement or its commit.
   */
  addRows(table: string, columns: readonly string[], rows: Iterable<readonly SqlValue[]>): void;
  /**
   * Overwrites what was deleted from these tables, as far as a client of this engine can. False if it is not possible
   * now, because another connection reads. It does not wait, so that it never blocks a writer.
   */
  overwriteDeleted(tables: readonly string[]): boolean;
  close(): void;
}

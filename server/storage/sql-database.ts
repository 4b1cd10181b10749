/** What a column holds. Whole numbers and fractions are both numbers; bytes are bytes. */
export type SqlValue = null | number | string | Uint8Array;

/** What a statement is given. A list stands for one `?`, which `anyOf` has written. */
export type SqlInput = SqlValue | readonly number[] | readonly string[];

/** A row by its columns' names. */
export type SqlRow = Record<string, SqlValue>;

/** Runs a reading statement. Rows are arrays in the order of the columns. */
export type ReadRows = (sql: string, values: readonly SqlInput[]) => Promise<SqlValue[][]>;

/** Reads from a store without blocking the thread, on either engine. */
export interface RowReader {
  rows: ReadRows;
  /** The condition that an expression is one of a list, which is bound as one value. */
  anyOf(expression: string): string;
}

/** A prepared statement; its values are in the order of its `?`. */
export interface SqlStatement {
  /** The first row, by names. */
  get(...values: readonly SqlInput[]): SqlRow | undefined;
  all(...values: readonly SqlInput[]): SqlRow[];
  /** The first row, as an array in the columns' order: cheaper than names where there are many. */
  row(...values: readonly SqlInput[]): SqlValue[] | undefined;
  rows(...values: readonly SqlInput[]): SqlValue[][];
  /** The same, read as they are asked for: more than the memory holds can be walked. */
  iterate(...values: readonly SqlInput[]): Iterable<SqlValue[]>;
  run(...values: readonly SqlInput[]): { changes: number };
}

/** Tagged statements, prepared once each: what stands in `${}` is bound, never pasted. */
export interface SqlTag {
  get(strings: TemplateStringsArray, ...values: readonly SqlInput[]): SqlRow | undefined;
  all(strings: TemplateStringsArray, ...values: readonly SqlInput[]): SqlRow[];
  run(strings: TemplateStringsArray, ...values: readonly SqlInput[]): { changes: number };
}

/**
 * One connection to the store, whichever engine that is. It is synchronous, so that what is decided inside a
 * transaction is decided in one turn: it belongs in a thread that may wait. Statements are written in the SQL that
 * both engines speak; where they differ, the engine's own file does.
 */
export interface SqlDatabase {
  readonly engine: 'sqlite' | 'postgresql';
  readonly sql: SqlTag;
  prepare(sql: string): SqlStatement;
  /** Runs statements that take and give nothing. */
  exec(sql: string): void;
  /** The condition that an expression is one of a list, which is then bound as one value. */
  anyOf(expression: string): string;
  /** Begins a write transaction: only one is open in a store at a time, the next waits. See `inTransaction`. */
  begin(): void;
  /** Begins a transaction that only reads: all of it reads the store as it stands now. See `inSnapshot`. */
  beginReading(): void;
  commit(): void;
  /** Undoes the open transaction; does nothing where a failure has ended it already. */
  rollback(): void;
  /**
   * Takes a lock that is held until this connection closes; false where another server has it. A data folder has
   * one server, to which every lock is free.
   */
  tryLock(name: string): boolean;
  /**
   * Overwrites what was deleted from these tables, as far as a client of this engine can. False if it is not possible
   * now, because another connection reads.
   */
  overwriteDeleted(tables: readonly string[]): boolean;
  close(): void;
}

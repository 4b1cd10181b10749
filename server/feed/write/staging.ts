import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { OfferRow } from '../../inventory/inventory.ts';
import type { OfferKey } from '../../inventory/offer-columns.ts';
import { KEY_COLUMNS, OFFER_COLUMNS } from '../../inventory/offer-columns.ts';
import type { SqlDatabase, SqlValue } from '../../storage/sql-database.ts';
import { sqliteDatabase } from '../../storage/sqlite/database.ts';

/** Rows that one statement carries. */
const ROWS_A_STATEMENT = 40;

/** The columns of a staged row: the offer's, and the feed's line. */
const STAGED = [...OFFER_COLUMNS, 'line'];

const LINE = OFFER_COLUMNS.length;

/**
 * A feed on its way into the store, in a file of its own beside it: all of it is read, sorted and compared there
 * before the store is touched, in little memory however long it is.
 */
export interface Staging {
  /** The file, for what else is more than the memory holds. */
  readonly database: SqlDatabase;
  add(row: OfferRow, line: number): void;
  /** Every row by key, of one key the cheapest first, then the first of the feed. */
  sorted(): Iterable<{ row: OfferRow; line: number }>;
  /** Marks a line that another one of the same package makes superfluous. */
  drop(line: number): void;
  /** The median price in pence of what was added and not dropped, or null. */
  medianPrice(): number | null;
  /** What is to be written, in key order. */
  change(row: OfferRow): void;
  /** What is to be removed, in key order. */
  remove(key: OfferKey): void;
  changes(): Iterable<OfferRow>;
  removals(): Iterable<OfferKey>;
  close(): void;
}

/** Begins a staging in a folder that is the import's own: what a broken-off import left there goes. */
export function openStaging(folder: string): Staging {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const connection = new DatabaseSync(join(folder, 'staging.sqlite'));
  // Of no worth after a crash, so nothing is done to outlive one. Sorting goes through files.
  connection.exec(`pragma journal_mode = off; pragma synchronous = off; pragma locking_mode = exclusive;
    pragma temp_store = file; pragma cache_size = -32768`);
  const database = sqliteDatabase(connection);
  database.exec(`create table staged (${columns(STAGED)}) strict;
    create table change (${columns(OFFER_COLUMNS)}) strict;
    create table removal (${columns(KEY_COLUMNS)}) strict;
    create table dropped (line integer primary key) strict;`);
  database.exec('begin');
  const staged = bufferedInsert(database, 'staged', STAGED);
  const change = bufferedInsert(database, 'change', OFFER_COLUMNS);
  const removal = bufferedInsert(database, 'removal', KEY_COLUMNS);
  const dropped = bufferedInsert(database, 'dropped', ['line']);
  let isAnyDropped = false;

  return {
    database,
    add: (row, line) => staged.add([...row, line]),
    *sorted() {
      staged.flush();
      const sorted = database.prepare(
        `select ${STAGED.join(', ')} from staged order by ${KEY_COLUMNS.join(', ')}, price, line`,
      );
      for (const values of sorted.iterate()) {
        const line = Number(values[LINE]);
        values.length = LINE;
        yield { row: values as unknown as OfferRow, line };
      }
    },
    drop(line) {
      isAnyDropped = true;
      dropped.add([line]);
    },
    medianPrice() {
      staged.flush();
      dropped.flush();
      // Asked of every row, which most feeds can be spared.
      const kept = isAnyDropped ? 'where line not in (select line from dropped)' : '';
      return medianPriceOf(database, 'staged', kept, []);
    },
    change: (row) => change.add(row),
    remove: (key) => removal.add(key),
    *changes() {
      change.flush();
      const rows = database.prepare(`select ${OFFER_COLUMNS.join(', ')} from change order by rowid`);
      for (const row of rows.iterate()) yield row as unknown as OfferRow;
    },
    *removals() {
      removal.flush();
      const rows = database.prepare(`select ${KEY_COLUMNS.join(', ')} from removal order by rowid`);
      for (const row of rows.iterate()) yield row as unknown as OfferKey;
    },
    close() {
      database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The median price in pence of a table's rows under a condition, or null where there are none. */
export function medianPriceOf(
  database: SqlDatabase,
  table: string,
  condition: string,
  values: readonly number[],
): number | null {
  const count = Number(database.prepare(`select count(*) from ${table} ${condition}`).row(...values)?.[0]);
  if (count === 0) return null;
  const middle = database.prepare(`select price from ${table} ${condition} order by price limit 1 offset ?`);
  return Number(middle.row(...values, Math.floor((count - 1) / 2))?.[0]);
}

function columns(names: readonly string[]): string {
  return names.map((name) => `${name} ${name === 'link' ? 'text' : 'integer'}`).join(', ');
}

/** Inserts rows so many at a time. */
function bufferedInsert(database: SqlDatabase, table: string, names: readonly string[]) {
  const row = `(${names.map(() => '?').join(',')})`;
  const sqlOf = (rows: number) =>
    `insert into ${table} values ${Array.from({ length: rows }, () => row).join(',')}`;
  const many = database.prepare(sqlOf(ROWS_A_STATEMENT));
  const one = database.prepare(sqlOf(1));
  let held: SqlValue[] = [];
  return {
    add(values: readonly SqlValue[]): void {
      for (const value of values) held.push(value);
      if (held.length < names.length * ROWS_A_STATEMENT) return;
      many.run(...held);
      held = [];
    },
    flush(): void {
      for (let at = 0; at < held.length; at += names.length) one.run(...held.slice(at, at + names.length));
      held = [];
    },
  };
}

import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { OfferRow } from '../../inventory/inventory.ts';
import { KEY_COLUMNS, type OfferKey } from '../../inventory/offer-columns.ts';
import type { SqlDatabase } from '../../storage/sql-database.ts';
import { sqliteDatabase } from '../../storage/sqlite/database.ts';
import { recordFile, type StagedRow, sortedRecordFile } from './record-file.ts';

const KEYS = KEY_COLUMNS.length;

/**
 * A feed's rows, and the difference that is going to be written, in files beside the store. Memory stays constant
 * however many rows there are.
 */
export interface Staging {
  /** Holds dictionaries that may not fit in memory. */
  readonly database: SqlDatabase;
  add(row: OfferRow, line: number): void;
  /** Rows are corrected when they are read again. A correction must not change a key or a price. */
  correct(correction: (row: OfferRow) => OfferRow): void;
  /** Every row by key; rows with the same key by price, then by line. */
  sorted(): Iterable<StagedRow>;
  /** Adds to what is going to be written; in key order. */
  change(row: OfferRow): void;
  /** Adds to what is going to be removed, by its key; in key order. */
  remove(row: OfferRow): void;
  changes(): Iterable<OfferRow>;
  removals(): Iterable<OfferKey>;
  close(): void;
}

/** Opens a staging folder. What a killed import left in it is deleted. */
export function openStaging(folder: string): Staging {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const database = openDictionaries(join(folder, 'dictionaries.sqlite'));
  const staged = sortedRecordFile(join(folder, 'staged'));
  const changes = recordFile(join(folder, 'changes'));
  const removals = recordFile(join(folder, 'removals'));
  let correction = (row: OfferRow) => row;
  return {
    database,
    add: staged.add,
    correct(made) {
      correction = made;
    },
    *sorted() {
      releaseCache(database);
      for (const read of staged.rows()) {
        const row = correction(read.row);
        yield row === read.row ? read : { row, line: read.line };
      }
    },
    change: (row) => changes.add(row, 0),
    remove: (row) => removals.add(row, 0),
    *changes() {
      for (const { row } of changes.rows()) yield row;
    },
    *removals() {
      for (const { row } of removals.rows()) yield row.slice(0, KEYS) as unknown as OfferKey;
    },
    close() {
      database.close();
      for (const file of [staged, changes, removals]) file.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Once a feed is read, its dictionaries are walked from end to end, for which a few pages are enough. */
function releaseCache(database: SqlDatabase): void {
  database.exec('commit; pragma cache_size = -1024; pragma shrink_memory; begin');
}

/** Useless after a crash, so no write waits for the disk. */
function openDictionaries(path: string): SqlDatabase {
  const connection = new DatabaseSync(path);
  connection.exec(`pragma journal_mode = off; pragma synchronous = off; pragma locking_mode = exclusive;
    pragma temp_store = file; pragma cache_size = -32768`);
  const database = sqliteDatabase(connection);
  database.exec('begin');
  return database;
}

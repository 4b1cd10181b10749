import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { OfferRow } from '../../inventory/inventory.ts';
import { KEY_COLUMNS, OFFER_COLUMNS, type OfferKey } from '../../inventory/offer-columns.ts';
import { sqliteDatabase } from '../../storage/sqlite/database.ts';

const KEYS = KEY_COLUMNS.length;

/** A row, and its line in the feed. */
export interface StagedRow {
  row: OfferRow;
  line: number;
}

export type Staging = ReturnType<typeof openStaging>;

/**
 * A feed's rows and the planned changes, in a file next to the store, so that memory stays constant. Deletes
 * what a killed import left in the folder.
 */
export function openStaging(folder: string) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const connection = new DatabaseSync(join(folder, 'staging.sqlite'));
  // The file is useless after a crash, so no write waits for the disk.
  connection.exec(`pragma journal_mode = off; pragma synchronous = off; pragma locking_mode = exclusive;
    pragma temp_store = file; pragma cache_size = -32768; begin`);
  const database = sqliteDatabase(connection);
  const staged = table(connection, 'staged', [...OFFER_COLUMNS, 'line']);
  const changes = table(connection, 'changed', OFFER_COLUMNS);
  const removals = table(connection, 'removed', KEY_COLUMNS);
  return {
    /** The import's own database, for what may not fit in memory. */
    database,
    add: (row: OfferRow, line: number) => staged.add([...row, line]),
    /** Every row by key; rows with the same key by price, then by line. */
    *sorted(): Generator<StagedRow> {
      for (const row of staged.rows([...KEY_COLUMNS, 'price', 'line'])) {
        const line = Number(row.pop());
        yield { row: row as unknown as OfferRow, line };
      }
    },
    /** Plans a write. Call it in key order. */
    change: (row: OfferRow) => changes.add(row),
    /** Plans a removal by key. Call it in key order. */
    remove: (row: OfferRow) => removals.add(row.slice(0, KEYS)),
    changes: () => changes.rows(['rowid']) as Iterable<unknown> as Iterable<OfferRow>,
    removals: () => removals.rows(['rowid']) as Iterable<unknown> as Iterable<OfferKey>,
    close() {
      database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A table that is filled, then read. */
function table(connection: DatabaseSync, name: string, columns: readonly string[]) {
  const types = columns.map((column) => `${column} ${column === 'link' ? 'text' : 'integer'}`);
  connection.exec(`create table ${name} (${types.join(', ')}) strict`);
  const insert = connection.prepare(`insert into ${name} values (${columns.map(() => '?').join(', ')})`);
  return {
    add: (row: readonly SQLInputValue[]) => insert.run(...row),
    rows(order: readonly string[]): Iterable<SQLInputValue[]> {
      const select = connection.prepare(`select * from ${name} order by ${order.join(', ')}`);
      select.setReturnArrays(true);
      return select.iterate() as unknown as Iterable<SQLInputValue[]>;
    },
  };
}

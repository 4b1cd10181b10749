import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { Pence } from '../../../domain/money.ts';
import type { OfferRow } from '../../inventory/inventory.ts';
import { KEY_COLUMNS, OFFER_COLUMNS, type OfferKey } from '../../inventory/offer-columns.ts';
import type { Fingerprint } from '../formats/fingerprint.ts';
import type { PlaceIds } from '../map/feed-dictionaries.ts';

const KEYS = KEY_COLUMNS.length;

const LINE_COLUMNS = ['line', 'high', 'low', 'until'];

/** How to recognise a line in the next feed, and until when (minutes since 1970) it means the same. */
export interface LineMark extends Fingerprint {
  until: number;
}

/** The mark of a line that is read every time. */
export const UNMARKED: LineMark = { high: 0, low: 0, until: 0 };

/** A row, and its line in the feed. */
export interface StagedRow {
  row: OfferRow;
  line: number;
  mark: LineMark;
}

/** What a row of changes says beside its offer. */
interface Change {
  sequence: number | null;
  isDeleted: boolean;
}

const NO_CHANGE: Change = { sequence: null, isDeleted: false };

/** A quarantined price: the last price on sale, the new one, and the day of the feed that first had it. */
export interface Quarantined {
  was: Pence;
  price: Pence;
  day: number;
}

export type Staging = ReturnType<typeof openStaging>;

/**
 * A feed's rows and what is planned about the quarantine, in a file next to the store, so that memory stays constant. Deletes
 * what a killed import left in the folder.
 */
export function openStaging(folder: string) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const connection = new DatabaseSync(join(folder, 'staging.sqlite'));
  // The file is useless after a crash, so no write waits for the disk.
  connection.exec(`pragma journal_mode = off; pragma synchronous = off; pragma locking_mode = exclusive;
    pragma temp_store = file; pragma cache_size = -32768; begin`);
  const staged = table(connection, 'staged', [...OFFER_COLUMNS, ...LINE_COLUMNS, 'sequence', 'is_deleted']);
  const gone = table(connection, 'gone', KEY_COLUMNS);
  const quarantined = table(connection, 'quarantined', [...KEY_COLUMNS, 'was', 'price', 'day']);
  const released = table(connection, 'released', KEY_COLUMNS);
  connection.exec('create table number (number integer primary key) strict');
  const note = connection.prepare('insert or ignore into number values (?)');
  let isQuarantineChanged = false;
  let noted = -1;
  return {
    /** The import's own database, for what may not fit in memory. */
    database: connection,
    add: (
      row: OfferRow,
      line: number,
      { sequence, isDeleted }: Change = NO_CHANGE,
      { high, low, until }: LineMark = UNMARKED,
    ) => staged.add([...row, line, high, low, until, sequence ?? 0, Number(isDeleted)]),
    /** Notes a package whose line of the last feed is not in this one. */
    addGone: (key: readonly number[]) => gone.add(key),
    /** Moves all staged packages of hotels to these places. */
    move(places: ReadonlyMap<number, PlaceIds>): void {
      connection.exec('create index staged_hotel on staged (hotel)');
      const move = connection.prepare(
        'update staged set country = ?, region = ?, resort = ? where hotel = ?',
      );
      for (const [hotel, { country, region, resort }] of places) move.run(country, region, resort, hotel);
    },
    /** The keys of the staged rows and of packages whose line is gone, in key order. */
    *touched(): Generator<{ key: OfferKey; isGone: boolean }> {
      const keys = KEY_COLUMNS.join(', ');
      const select =
        connection.prepare(`select ${keys}, max(is_gone) from (select ${keys}, 0 as is_gone from staged
        union all select ${keys}, 1 from gone) group by ${keys} order by ${keys}`);
      select.setReturnArrays(true);
      for (const row of select.iterate() as unknown as Iterable<number[]>) {
        const isGone = row.pop() === 1;
        yield { key: row as unknown as OfferKey, isGone };
      }
    },
    /**
     * Every row by key; rows with the same key by price, then by line. Of changes, only each package's last: the one
     * with the highest number, then the highest line.
     */
    *sorted(isChanges = false): Generator<StagedRow> {
      const columns = [...OFFER_COLUMNS, ...LINE_COLUMNS].join(', ');
      const last = `(select *, row_number() over (partition by ${KEY_COLUMNS.join(', ')}
        order by sequence desc, line desc) as place from staged) where place = 1 and is_deleted = 0`;
      const select = connection.prepare(
        `select ${columns} from ${isChanges ? last : 'staged'} order by ${[...KEY_COLUMNS, 'price', 'line'].join(', ')}`,
      );
      select.setReturnArrays(true);
      for (const row of select.iterate() as unknown as Iterable<SQLInputValue[]>) {
        const [line = 0, high = 0, low = 0, until = 0] = row.splice(OFFER_COLUMNS.length).map(Number);
        yield { row: row as unknown as OfferRow, line, mark: { high, low, until } };
      }
    },
    /** Notes the sequence number of a change. */
    noteNumber(number: number): void {
      if (number !== noted) note.run(number);
      noted = number;
    },
    /** The first gap in the noted numbers that should follow `stored`. */
    gapAfter(stored: number): { last: number; next: number } | null {
      const gap = connection
        .prepare(`select before, number from (select number, lag(number, 1, ?) over (order by number) as before from number)
          where number > before + 1 limit 1`)
        .get(stored);
      return gap === undefined ? null : { last: Number(gap.before), next: Number(gap.number) };
    },
    /** Plans that a package is kept off sale. `isNew`: the store doesn't know this price yet. */
    quarantine(row: OfferRow, { was, price, day }: Quarantined, isNew: boolean): void {
      quarantined.add([...row.slice(0, KEYS), was, price, day]);
      isQuarantineChanged ||= isNew;
    },
    /** Plans that a package leaves the quarantine. */
    release: (row: OfferRow) => released.add(row.slice(0, KEYS)),
    quarantined: () => quarantined.rows(['rowid']) as Iterable<number[]>,
    released: () => released.rows(['rowid']) as Iterable<unknown> as Iterable<OfferKey>,
    isQuarantineChanged: () => isQuarantineChanged,
    close() {
      connection.close();
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

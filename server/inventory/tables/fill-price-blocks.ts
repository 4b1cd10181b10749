import { firstDayOfMonth, monthOfDay } from '../../../domain/month.ts';
import { inTransaction } from '../../storage/in-transaction.ts';
import { readNote, removeNote, writeNote } from '../../storage/notes.ts';
import type { SqlDatabase } from '../../storage/sql-database.ts';
import type { BlockKey } from '../block-key.ts';
import { BLOCK_OFFER_COLUMNS, type DayOffer } from './block-day-source.ts';
import { blockOfOffers } from './block-of-offers.ts';
import { type BlockWriter, blockWriter } from './block-writer.ts';

/** The first month whose blocks are missing, in a store that an earlier version has filled. */
const FROM_MONTH = 'price_blocks.from_month';

export interface FillProgress {
  /** Months whose blocks have been written. */
  month: number;
  months: number;
}

/**
 * Writes the price blocks of a store that was filled before there were blocks. Each month is a transaction, so that a
 * restart continues and others can write in between. Does nothing in other stores.
 */
export function completePriceBlocks(
  database: SqlDatabase,
  onProgress: (progress: FillProgress) => void,
): void {
  const note = readNote(database, FROM_MONTH);
  if (note === null) return;
  const range = departureMonths(database);
  const from = range === null ? 0 : Math.max(Number(note), range.first);
  for (let month = from; range !== null && month <= range.last; month += 1) {
    inTransaction(
      database,
      () => {
        fillMonth(database, month);
        writeNote(database, FROM_MONTH, String(month + 1));
      },
      'price blocks',
    );
    onProgress({ month: month - range.first + 1, months: range.last - range.first + 1 });
  }
  inTransaction(database, () => removeNote(database, FROM_MONTH));
}

function departureMonths(database: SqlDatabase): { first: number; last: number } | null {
  const [first, last] =
    database
      .prepare('select (select min(departure_day) from offer), (select max(departure_day) from offer)')
      .row() ?? [];
  if (typeof first !== 'number' || typeof last !== 'number') return null;
  return { first: monthOfDay(first), last: monthOfDay(last) };
}

/** Writes a month's blocks anew in one ordered pass over its offers, inside the caller's transaction. */
export function fillMonth(database: SqlDatabase, month: number): void {
  const numbers = (sql: string) =>
    database
      .prepare(sql)
      .rows()
      .map(([value]) => Number(value));
  const stays = numbers('select nights from stay order by nights');
  const parties = numbers('select id from party order by id');
  const writer = blockWriter(database);
  const clear = database.prepare('delete from price_block where party = ? and nights = ? and month = ?');
  const first = firstDayOfMonth(month);
  const days = Array.from({ length: firstDayOfMonth(month + 1) - first }, (_, index) => first + index);
  const offers =
    database.prepare(`select airport, country, region, resort, departure_day, ${BLOCK_OFFER_COLUMNS.join(', ')}
    from offer where ${database.anyOf('departure_day')} and nights = ? and party = ?
    order by airport, country, region, resort, hotel, board, provider, half_stars, departure_day`);
  for (const party of parties) {
    for (const nights of stays) {
      clear.run(party, nights, month);
      writeBlocks(writer, [party, nights, month], offers.iterate(days, nights, party));
    }
  }
  writer.flush();
}

/** Airport, country, region, resort, and an offer there. */
type FilledOffer = readonly [
  airport: number,
  country: number,
  region: number,
  resort: number,
  ...offer: DayOffer,
];

function writeBlocks(
  writer: BlockWriter,
  [party, nights, month]: readonly [party: number, nights: number, month: number],
  rows: Iterable<unknown>,
): void {
  let key: BlockKey | null = null;
  let offers: DayOffer[] = [];
  const write = () => {
    if (key !== null) writer.put(key, blockOfOffers(key, offers));
  };
  for (const row of rows as Iterable<FilledOffer>) {
    const [airport, country, region, resort, ...offer] = row;
    if (key === null || key[6] !== resort || key[3] !== airport || key[5] !== region || key[4] !== country) {
      write();
      key = [party, nights, month, airport, country, region, resort];
      offers = [];
    }
    offers.push(offer);
  }
  write();
}

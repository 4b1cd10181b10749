import type { PricePath } from '../../domain/daily-prices.ts';
import { monthOfDay } from '../../domain/month.ts';
import { rowInserter } from '../storage/open/row-inserter.ts';
import type { SqlSession, SqlValue } from '../storage/sql-database.ts';

/** Levels are stored as natural logarithms times 10,000, in two bytes: enough for prices that differ 26-fold. */
const SCALE = 10_000;

/** Reads the generated price path of a hotel and a departure day's month; null if there is none. */
export function pricePathReader(
  database: SqlSession,
): (hotel: number, departureDay: number) => Promise<PricePath | null> {
  const find = database.prepare(
    'select last_day, levels from price_path where hotel = ? and departure_month = ?',
  );
  return async (hotel, departureDay) => {
    const row = await find.get(hotel, monthOfDay(departureDay));
    const levels = row?.levels;
    if (!(levels instanceof Uint8Array)) return null;
    return { lastDay: Number(row?.last_day), levels: decodeLevels(levels) };
  };
}

export interface HotelPricePath extends PricePath {
  hotel: number;
  departureMonth: number;
}

/** Writes paths in the caller's transaction, replacing existing ones. */
export async function writePricePaths(database: SqlSession, paths: Iterable<HotelPricePath>): Promise<void> {
  function* rows(): Generator<SqlValue[]> {
    for (const { hotel, departureMonth, lastDay, levels } of paths)
      yield [hotel, departureMonth, lastDay, encodeLevels(levels)];
  }
  await (
    await rowInserter(database, {
      table: 'price_path',
      columns: ['hotel', 'departure_month', 'last_day', 'levels'],
      keys: ['hotel', 'departure_month'],
      update: ['last_day', 'levels'],
    })
  ).insert(rows());
}

/** Stores levels relative to the last one, because only differences matter. */
export function encodeLevels(levels: ArrayLike<number>): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(levels.length * 2));
  const last = levels[levels.length - 1] ?? 0;
  for (const [index, level] of Array.from(levels).entries()) {
    bytes.setInt16(index * 2, Math.round((level - last) * SCALE), true);
  }
  return new Uint8Array(bytes.buffer);
}

export function decodeLevels(bytes: Uint8Array): Float64Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float64Array.from(
    { length: bytes.byteLength / 2 },
    (_, index) => view.getInt16(index * 2, true) / SCALE,
  );
}

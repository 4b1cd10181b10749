import type { DatabaseSync } from 'node:sqlite';
import type { PricePath } from './daily-prices.ts';
import { monthOfDay } from './departure-month.ts';

/** What a stored level is multiplied by: ten thousandths of a logarithm fit into two bytes, up to a factor of 26. */
const SCALE = 10_000;

/** Reads how prices of a hotel and a departure day moved before they were observed; null where unknown. */
export function pricePathReader(
  database: DatabaseSync,
): (hotel: number, departureDay: number) => PricePath | null {
  const find = database.prepare(
    'select last_day, levels from price_path where hotel = ? and departure_month = ?',
  );
  return (hotel, departureDay) => {
    const row = find.get(hotel, monthOfDay(departureDay));
    const levels = row?.levels;
    if (!(levels instanceof Uint8Array)) return null;
    return { lastDay: Number(row?.last_day), levels: decodeLevels(levels) };
  };
}

/** Writes a path inside the caller's transaction. */
export function pricePathWriter(
  database: DatabaseSync,
): (hotel: number, departureMonth: number, path: PricePath) => void {
  const put = database.prepare('insert or replace into price_path values (?, ?, ?, ?)');
  return (hotel, departureMonth, path) => {
    put.run(hotel, departureMonth, path.lastDay, encodeLevels(path.levels));
  };
}

/** Levels are stored against the last of them: only differences mean something. */
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

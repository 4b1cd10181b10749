import type { Pence } from '../../domain/money.ts';
import { bytesOf, bytesOfVarint, bytesWritten, putFixed, putVarint } from './block-bytes.ts';

/**
 * A price block holds the lowest and the highest price of every departure day of one month, for one party, number of
 * nights, departure airport and resort: a cell for each hotel, board, provider, stars and day that has an offer. So
 * blocks can apply all of `filters`, and a search over months need not read its offers. The transaction that writes
 * offers computes affected days again from the offers: differences would accumulate errors.
 *
 * Its bytes, with little-endian integers and LEB128 varints. An entry is what a hotel has with one board, provider and
 * number of stars; entries are in the order of `compareCells`. What most searches need from every entry comes first,
 * in columns, so that they can skip the rest of the entry:
 *
 *     1  bytes of a price (1 to 4); 0x80 is added if a day has an expiry
 *     4  the lowest price: every price is stored as the difference from it
 *     v  number of entries
 *     if a day has an expiry: 4 the earliest one, v number of days, and for each day 1 its index, v its earliest
 *        expiry less the earliest of all, v its latest expiry less its earliest plus 1 (0: never)
 *     for each entry: its lowest price
 *     v  bytes of the next column
 *     for each entry: v hotel less the previous entry's hotel, v bytes of its rest
 *     for each entry, its rest: v board, v provider, v half stars,
 *        4 bitmap of its days, bit 31 is set if a day has several prices,
 *        if it has more than one day: the lowest price of each day,
 *        and if bit 31 is set: 4 bitmap of the days with several prices, and the highest price of each of those
 */
export type BlockBytes = Uint8Array;

/** The prices of a hotel's offers with one board, provider and number of stars on one day of a month. */
export interface PriceCell {
  hotel: number;
  board: number;
  provider: number;
  halfStars: number;
  /** Counted from 0, the first day of the month. */
  day: number;
  low: Pence;
  high: Pence;
}

/** When the first and the last of a day's offers go off sale, in minutes since 1970. */
export interface DayExpiry {
  first: number;
  last: number;
}

/** The expiry of an offer that stays on sale at least until its departure day begins (UTC). */
export const NEVER = 2 ** 31 - 1;

const MINUTES_A_DAY = 1_440;

const SEVERAL_PRICES = 2 ** 31;

const HAS_EXPIRIES = 0x80;

/** The highest varint, because IDs and minutes are 32-bit integers. */
export const MAX_VARINT = 2 ** 31 - 1;

export const MAX_DAYS_IN_MONTH = 31;

/** A bitmap of all days of a month. */
export const WHOLE_MONTH = 2 ** MAX_DAYS_IN_MONTH - 1;

/** A decoded block. Cells are in the order of `compareCells`. */
export interface PriceBlock {
  cells: PriceCell[];
  /** By day index. Days without an expiry are missing. */
  expiries: Map<number, DayExpiry>;
}

export function compareCells(one: PriceCell, other: PriceCell): number {
  return compareEntries(one, other) || one.day - other.day;
}

function compareEntries(one: PriceCell, other: PriceCell): number {
  return (
    one.hotel - other.hotel ||
    one.board - other.board ||
    one.provider - other.provider ||
    one.halfStars - other.halfStars
  );
}

/** The expiry as stored in blocks: only one before the departure day can hide an offer from a search. */
export function blockExpiry(expiresAt: number, departureDay: number): number {
  return expiresAt >= departureDay * MINUTES_A_DAY ? NEVER : expiresAt;
}

/** Whether a day's offers are all on sale, all expired, or unknown. `now` is in minutes since 1970. */
export function saleOfDay(
  expiry: DayExpiry | undefined,
  departureDay: number,
  now: number,
): 'on-sale' | 'expired' | 'mixed' {
  if (expiry !== undefined && expiry.last !== NEVER && expiry.last <= now) return 'expired';
  if (expiry !== undefined && expiry.first <= now) return 'mixed';
  return now < departureDay * MINUTES_A_DAY ? 'on-sale' : 'mixed';
}

/** The lowest price of a block, and the index of the first day with it. */
export function lowestOf({ cells }: PriceBlock): { price: Pence; day: number } {
  let price = Number.POSITIVE_INFINITY;
  let first = 0;
  for (const { low, day } of cells) {
    if (low > price || (low === price && day >= first)) continue;
    price = low;
    first = day;
  }
  return { price, day: first };
}

/** The earliest expiry of a block. */
export function earliestExpiry({ expiries }: PriceBlock): number {
  return Math.min(NEVER, ...Array.from(expiries.values(), ({ first }) => first));
}

/** The cells of one entry: from `from`, up to but not including `to`. */
interface Entry {
  from: number;
  to: number;
  hotel: number;
  /** Bitmaps of the entry's days, and of the days with several prices. */
  days: number;
  several: number;
  low: Pence;
}

export function encodeBlock(block: PriceBlock): BlockBytes {
  const { cells } = block;
  const base = lowestOf(block).price;
  let spread = 0;
  for (const { high } of cells) if (high - base > spread) spread = high - base;
  const width = bytesOf(spread);
  // In day order, so that equal blocks have equal bytes.
  const expiring = [...block.expiries]
    .filter(([, { first }]) => first !== NEVER)
    .sort(([one], [other]) => one - other);
  const entries = entriesOf(cells);
  return bytesWritten(() => {
    putFixed(expiring.length > 0 ? width | HAS_EXPIRIES : width, 1);
    putFixed(base, 4);
    putVarint(entries.length);
    if (expiring.length > 0) putExpiries(expiring);
    for (const { low } of entries) putFixed(low - base, width);
    putHotels(cells, entries, width);
    for (const entry of entries) putRest(cells, entry, base, width);
  });
}

function entriesOf(cells: readonly PriceCell[]): Entry[] {
  const entries: Entry[] = [];
  let entry: Entry | null = null;
  let last: PriceCell | null = null;
  for (const [at, cell] of cells.entries()) {
    const { hotel, day, low, high } = cell;
    if (entry === null || last === null || compareEntries(last, cell) !== 0) {
      entry = { from: at, to: at, hotel, days: 0, several: 0, low };
      entries.push(entry);
    }
    entry.to = at + 1;
    entry.days |= 1 << day;
    if (high !== low) entry.several |= 1 << day;
    if (low < entry.low) entry.low = low;
    last = cell;
  }
  return entries;
}

function putExpiries(expiring: readonly (readonly [number, DayExpiry])[]): void {
  const base = Math.min(...expiring.map(([, { first }]) => first));
  putFixed(base, 4);
  putVarint(expiring.length);
  for (const [day, { first, last }] of expiring) {
    putFixed(day, 1);
    putVarint(first - base);
    putVarint(last === NEVER ? 0 : last - first + 1);
  }
}

/** Writes the column of hotels and lengths, preceded by its own length. */
function putHotels(cells: readonly PriceCell[], entries: readonly Entry[], width: number): void {
  const numbers: number[] = [];
  let bytes = 0;
  let lastHotel = 0;
  for (const entry of entries) {
    const length = bytesOfRest(cells, entry, width);
    numbers.push(entry.hotel - lastHotel, length);
    bytes += bytesOfVarint(entry.hotel - lastHotel) + bytesOfVarint(length);
    lastHotel = entry.hotel;
  }
  putVarint(bytes);
  for (const number of numbers) putVarint(number);
}

function bytesOfRest(cells: readonly PriceCell[], { from, to, several }: Entry, width: number): number {
  const cell = cells[from];
  if (cell === undefined) return 0;
  const names = bytesOfVarint(cell.board) + bytesOfVarint(cell.provider) + bytesOfVarint(cell.halfStars);
  const lows = to - from > 1 ? (to - from) * width : 0;
  const highs = several === 0 ? 0 : 4 + countBits(several) * width;
  return names + 4 + lows + highs;
}

function putRest(
  cells: readonly PriceCell[],
  { from, to, days, several }: Entry,
  base: Pence,
  width: number,
): void {
  const first = cells[from];
  if (first === undefined) return;
  putVarint(first.board);
  putVarint(first.provider);
  putVarint(first.halfStars);
  putFixed(several === 0 ? days : days + SEVERAL_PRICES, 4);
  if (to - from > 1) for (let at = from; at < to; at += 1) putFixed((cells[at]?.low ?? base) - base, width);
  if (several === 0) return;
  putFixed(several, 4);
  for (let at = from; at < to; at += 1) {
    const cell = cells[at];
    if (cell !== undefined && cell.high !== cell.low) putFixed(cell.high - base, width);
  }
}

/** The number of set bits. */
export function countBits(bitmap: number): number {
  let bits = bitmap - ((bitmap >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

import type { Pence } from '../../domain/money.ts';

/**
 * A price block holds the lowest and the highest price of every departure day of one month, for one party, number of
 * nights, departure airport and resort: a cell for each hotel, board, provider, stars and day that has an offer. It
 * depends on the offers only.
 *
 * Its bytes, with little-endian integers and LEB128 varints:
 *
 *     1  bytes of a price (1 to 4); 0x80 is added if a day has an expiry
 *     4  the lowest price: every price is stored as the difference from it
 *     v  number of entries
 *     if a day has an expiry: 4 the earliest one, v number of days, and for each day 1 its index, v its earliest
 *        expiry less the earliest of all, v its latest expiry less its earliest plus 1 (0: never)
 *     for each entry, in order: v hotel less the last entry's hotel, v board, v provider, v half stars,
 *        4 bitmap of its days, bit 31 is set if a day has several prices,
 *        the lowest price of each day,
 *        and if bit 31 is set: 4 bitmap of the days with several prices, and the highest price of each of those
 */
export type BlockBytes = Uint8Array;

/** The prices of a hotel's offers with one board, provider and number of stars on one day of a month. */
export interface PriceCell {
  hotel: number;
  board: number;
  provider: number;
  halfStars: number;
  /** 0 is the first day of the month. */
  day: number;
  low: Pence;
  high: Pence;
}

/** When the offers of a day of a block go off sale, in minutes since 1970: the first and the last of them. */
export interface DayExpiry {
  first: number;
  last: number;
}

/** The expiry of an offer that is on sale until its departure day begins (UTC), or longer. */
export const NEVER = 2 ** 31 - 1;

const MINUTES_A_DAY = 1_440;

const SEVERAL_PRICES = 2 ** 31;

const HAS_EXPIRIES = 0x80;

/** Days of the longest month. */
export const MOST_DAYS = 31;

/** All days of a month, as a bitmap. */
export const WHOLE_MONTH = 2 ** MOST_DAYS - 1;

/** A block as it is changed. Cells are in the order of `compareCells`. */
export interface PriceBlock {
  cells: PriceCell[];
  /** By day index. Days without an expiry are missing. */
  expiries: Map<number, DayExpiry>;
}

export function compareCells(one: PriceCell, other: PriceCell): number {
  return (
    one.hotel - other.hotel ||
    one.board - other.board ||
    one.provider - other.provider ||
    one.halfStars - other.halfStars ||
    one.day - other.day
  );
}

/** An expiry as a block counts it: only one before the departure day can hide an offer from a search. */
export function blockExpiry(expiresAt: number, departureDay: number): number {
  return expiresAt >= departureDay * MINUTES_A_DAY ? NEVER : expiresAt;
}

/** Whether the offers of a block's day are all on sale, all expired, or have to be read, in minutes since 1970. */
export function saleOfDay(
  expiry: DayExpiry | undefined,
  departureDay: number,
  now: number,
): 'on-sale' | 'expired' | 'mixed' {
  if (expiry !== undefined && expiry.last !== NEVER && expiry.last <= now) return 'expired';
  if (expiry !== undefined && expiry.first <= now) return 'mixed';
  return now < departureDay * MINUTES_A_DAY ? 'on-sale' : 'mixed';
}

/** Adds an offer to a block, in the order of the cells: the same cell again widens its prices. */
export function addToBlock(block: PriceBlock, cell: PriceCell, expiry: number): void {
  const held = block.cells.at(-1);
  if (held !== undefined && compareCells(held, cell) === 0) {
    held.low = Math.min(held.low, cell.low);
    held.high = Math.max(held.high, cell.high);
  } else block.cells.push(cell);
  const expiries = block.expiries.get(cell.day);
  if (expiries !== undefined) {
    expiries.first = Math.min(expiries.first, expiry);
    expiries.last = Math.max(expiries.last, expiry);
  } else block.expiries.set(cell.day, { first: expiry, last: expiry });
}

export function lowestOf({ cells }: PriceBlock): Pence {
  let lowest = Number.POSITIVE_INFINITY;
  for (const { low } of cells) if (low < lowest) lowest = low;
  return lowest;
}

/** The earliest expiry of a block. */
export function earliestExpiry({ expiries }: PriceBlock): number {
  let earliest = NEVER;
  for (const { first } of expiries.values()) if (first < earliest) earliest = first;
  return earliest;
}

let memory = new Uint8Array(2 ** 16);
let end = 0;

export function encodeBlock(block: PriceBlock): BlockBytes {
  const { cells } = block;
  const base = lowestOf(block);
  let spread = 0;
  for (const { high } of cells) if (high - base > spread) spread = high - base;
  const width = spread < 2 ** 8 ? 1 : spread < 2 ** 16 ? 2 : spread < 2 ** 24 ? 3 : 4;
  const expiring = [...block.expiries].filter(([, { first }]) => first !== NEVER);
  end = 0;
  putFixed(expiring.length > 0 ? width | HAS_EXPIRIES : width, 1);
  putFixed(base, 4);
  putVarint(countEntries(cells));
  if (expiring.length > 0) putExpiries(expiring);
  let hotel = 0;
  for (let from = 0; from < cells.length; ) {
    const to = endOfEntry(cells, from);
    hotel = putEntry(cells, from, to, { base, width, lastHotel: hotel });
    from = to;
  }
  return memory.slice(0, end);
}

function isSameEntry(one: PriceCell, other: PriceCell): boolean {
  return (
    one.hotel === other.hotel &&
    one.board === other.board &&
    one.provider === other.provider &&
    one.halfStars === other.halfStars
  );
}

function endOfEntry(cells: readonly PriceCell[], from: number): number {
  const first = cells[from];
  let to = from + 1;
  for (let cell = cells[to]; first && cell && isSameEntry(first, cell); cell = cells[to]) to += 1;
  return to;
}

function countEntries(cells: readonly PriceCell[]): number {
  let entries = 0;
  for (let from = 0; from < cells.length; from = endOfEntry(cells, from)) entries += 1;
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

/** Writes the cells of one entry and returns its hotel. */
function putEntry(
  cells: readonly PriceCell[],
  from: number,
  to: number,
  { base, width, lastHotel }: { base: number; width: number; lastHotel: number },
): number {
  const first = cells[from];
  if (first === undefined) return lastHotel;
  let days = 0;
  let several = 0;
  for (let at = from; at < to; at += 1) {
    const cell = cells[at];
    if (cell === undefined) continue;
    days |= 1 << cell.day;
    if (cell.high !== cell.low) several |= 1 << cell.day;
  }
  putVarint(first.hotel - lastHotel);
  putVarint(first.board);
  putVarint(first.provider);
  putVarint(first.halfStars);
  putFixed(several === 0 ? days : days + SEVERAL_PRICES, 4);
  for (let at = from; at < to; at += 1) putFixed((cells[at]?.low ?? base) - base, width);
  if (several === 0) return first.hotel;
  putFixed(several, 4);
  for (let at = from; at < to; at += 1) {
    const cell = cells[at];
    if (cell !== undefined && cell.high !== cell.low) putFixed(cell.high - base, width);
  }
  return first.hotel;
}

function makeRoom(): void {
  if (end + 8 <= memory.length) return;
  const larger = new Uint8Array(memory.length * 2);
  larger.set(memory);
  memory = larger;
}

function putFixed(value: number, bytes: number): void {
  makeRoom();
  for (let nth = 0, rest = value; nth < bytes; nth += 1) {
    memory[end] = rest & 0xff;
    rest = Math.floor(rest / 256);
    end += 1;
  }
}

function putVarint(value: number): void {
  makeRoom();
  let rest = value;
  while (rest >= 0x80) {
    memory[end] = (rest & 0x7f) | 0x80;
    rest = Math.floor(rest / 128);
    end += 1;
  }
  memory[end] = rest;
  end += 1;
}

import type { BlockKey } from './block-key.ts';
import { damagedBlock } from './damaged-block.ts';
import {
  type BlockBytes,
  countBits,
  type DayExpiry,
  MAX_DAYS_IN_MONTH,
  MAX_VARINT,
  NEVER,
  type PriceBlock,
  WHOLE_MONTH,
} from './price-block.ts';

/**
 * Reads the entries of price blocks one by one into its own fields: a search reads millions. It checks blocks
 * and entries, not bytes, and throws an error that names the block if the bytes are invalid. Until then it
 * may read past the end, where bytes count as 0.
 */
export class BlockCursor {
  hotel = 0;
  /** The entry's lowest price on any day. */
  low = 0;

  /** Valid after `read` only. */
  board = 0;
  provider = 0;
  halfStars = 0;
  /** Bitmap of the entry's days. */
  days = 0;

  /** The day index of the last `lowest` or `highest`. */
  day = 0;
  /** The block's lowest price. */
  base = 0;

  private bytes: BlockBytes = new Uint8Array(0);
  private block: BlockKey | null = null;
  private at = 0;
  private left = 0;
  private width = 1;
  /** Positions: the next entry in the column of hotels, its lowest price, and its rest. */
  private nextHotel = 0;
  private nextLow = 0;
  private nextRest = 0;
  /** The end of the column of hotels. */
  private hotelsEnd = 0;
  private rest = 0;
  private isRead = false;
  /** The position of the lowest prices of the entry's days. */
  private lows = 0;
  /** Bitmap of the days with several prices, and the position of their highest. */
  private several = 0;
  private highs = 0;

  /** Starts a block and returns its expiries by day index; null if no day has one. */
  open(bytes: BlockBytes, block: BlockKey): Map<number, DayExpiry> | null {
    this.bytes = bytes;
    this.block = block;
    const head = bytes[0] ?? 0;
    this.width = head & 0x7f;
    this.at = 1;
    this.base = this.word();
    this.left = this.varint();
    this.hotel = 0;
    const expiries = head >= 0x80 ? this.expiries() : null;
    this.nextLow = this.at;
    this.at += this.width * this.left;
    const hotels = this.varint();
    this.nextHotel = this.at;
    this.hotelsEnd = this.at + hotels;
    this.nextRest = this.hotelsEnd;
    // An entry has at least two bytes in the column of hotels.
    const isPossible =
      this.width >= 1 &&
      this.width <= 4 &&
      this.base >= 0 &&
      this.left * 2 <= hotels &&
      this.hotelsEnd <= bytes.length;
    if (!isPossible) throw this.damaged();
    return expiries;
  }

  /** Moves to the next entry. False after the last. */
  next(): boolean {
    if (this.left === 0) return this.end();
    this.left -= 1;
    this.low = this.base + this.price(this.nextLow);
    this.lows = this.nextLow;
    this.nextLow += this.width;
    this.at = this.nextHotel;
    this.hotel += this.varint();
    // Callers size arrays by the largest hotel id.
    if (this.hotel > MAX_VARINT) throw this.damaged();
    this.rest = this.nextRest;
    this.nextRest += this.varint();
    this.nextHotel = this.at;
    this.isRead = false;
    return true;
  }

  /** Reads the rest of the entry, after its hotel and lowest price. */
  read(): void {
    if (this.isRead) return;
    this.isRead = true;
    this.at = this.rest;
    this.board = this.varint();
    this.provider = this.varint();
    this.halfStars = this.varint();
    const bitmap = this.word();
    this.days = bitmap & WHOLE_MONTH;
    const count = countBits(this.days);
    // A single day has the entry's lowest price, which is not repeated.
    if (count > 1) {
      this.lows = this.at;
      this.at += this.width * count;
    }
    this.several = 0;
    if (bitmap < 0) {
      this.several = this.word();
      this.highs = this.at;
      this.at += this.width * countBits(this.several);
    }
    const isPossible = this.at === this.nextRest && this.days !== 0 && (this.several & ~this.days) === 0;
    if (!isPossible) throw this.damaged();
  }

  /**
   * The entry's lowest price on the days of a bitmap, at least one of which it has; sets `day` to the first
   * with it. Call this and the following only after `read`.
   */
  lowest(mask: number): number {
    const { days } = this;
    let best = Number.POSITIVE_INFINITY;
    let at = this.lows;
    for (let rest = days; rest !== 0; rest &= rest - 1) {
      const bit = rest & -rest;
      if ((mask & bit) !== 0) {
        const price = this.price(at);
        if (price < best) {
          best = price;
          this.day = 31 - Math.clz32(bit);
        }
      }
      at += this.width;
    }
    return best + this.base;
  }

  /** The highest price on a bitmap's days, at least one of which the entry has; sets `day` to the first. */
  highest(mask: number): number {
    let best = -1;
    let at = this.lows;
    let highAt = this.highs;
    for (let rest = this.days; rest !== 0; rest &= rest - 1) {
      const bit = rest & -rest;
      const isSeveral = (this.several & bit) !== 0;
      if ((mask & bit) !== 0) {
        const price = this.price(isSeveral ? highAt : at);
        if (price > best) {
          best = price;
          this.day = 31 - Math.clz32(bit);
        }
      }
      at += this.width;
      if (isSeveral) highAt += this.width;
    }
    return best + this.base;
  }

  /** The first of the bitmap's days that the entry has. */
  firstDay(mask: number): number {
    const days = this.days & mask;
    this.day = 31 - Math.clz32(days & -days);
    return this.day;
  }

  /** The last of the bitmap's days that the entry has. */
  lastDay(mask: number): number {
    this.day = 31 - Math.clz32(this.days & mask);
    return this.day;
  }

  /** Lowers `lowest`, by day index, to the entry's prices on the days of the bitmap. */
  lowerEach(mask: number, lowest: Float64Array): void {
    let at = this.lows;
    for (let rest = this.days; rest !== 0; rest &= rest - 1) {
      const bit = rest & -rest;
      if ((mask & bit) !== 0) {
        const day = 31 - Math.clz32(bit);
        const price = this.price(at) + this.base;
        if (price < (lowest[day] ?? 0)) lowest[day] = price;
      }
      at += this.width;
    }
  }

  /** Calls `visit` with the index and the prices of each day. */
  eachDay(visit: (day: number, low: number, high: number) => void): void {
    let at = this.lows;
    let highAt = this.highs;
    for (let rest = this.days; rest !== 0; rest &= rest - 1) {
      const bit = rest & -rest;
      const low = this.price(at) + this.base;
      at += this.width;
      let high = low;
      if ((this.several & bit) !== 0) {
        high = this.price(highAt) + this.base;
        highAt += this.width;
      }
      visit(31 - Math.clz32(bit), low, high);
    }
  }

  /** After the last entry, both columns must end at their stated lengths. */
  private end(): false {
    if (this.nextHotel !== this.hotelsEnd || this.nextRest !== this.bytes.length) throw this.damaged();
    return false;
  }

  private damaged(): Error {
    // The bytes read so far may be garbage; the cursor must stop.
    this.left = 0;
    return damagedBlock('cells', this.block);
  }

  private price(at: number): number {
    const { bytes, width } = this;
    let value = bytes[at] ?? 0;
    if (width > 1) value |= (bytes[at + 1] ?? 0) << 8;
    if (width > 2) value |= (bytes[at + 2] ?? 0) << 16;
    if (width > 3) value |= (bytes[at + 3] ?? 0) << 24;
    return value;
  }

  private expiries(): Map<number, DayExpiry> {
    const base = this.word();
    const expiries = new Map<number, DayExpiry>();
    const days = this.varint();
    if (days > MAX_DAYS_IN_MONTH) throw this.damaged();
    for (let left = days; left > 0; left -= 1) {
      const day = this.byte();
      if (day >= MAX_DAYS_IN_MONTH) throw this.damaged();
      const first = base + this.varint();
      const span = this.varint();
      expiries.set(day, { first, last: span === 0 ? NEVER : first + span - 1 });
    }
    return expiries;
  }

  private byte(): number {
    const byte = this.bytes[this.at] ?? 0;
    this.at += 1;
    return byte;
  }

  /** Four bytes as a signed integer. */
  private word(): number {
    const { bytes, at } = this;
    this.at = at + 4;
    return (
      (bytes[at] ?? 0) |
      ((bytes[at + 1] ?? 0) << 8) |
      ((bytes[at + 2] ?? 0) << 16) |
      ((bytes[at + 3] ?? 0) << 24)
    );
  }

  private varint(): number {
    const first = this.byte();
    // Nearly all have one byte.
    return first < 0x80 ? first : this.longVarint(first);
  }

  private longVarint(first: number): number {
    let value = first - 0x80;
    for (let factor = 128; ; factor *= 128) {
      const byte = this.byte();
      value += (byte & 0x7f) * factor;
      if (value > MAX_VARINT) throw this.damaged();
      if (byte < 0x80) return value;
    }
  }
}

/** A whole block, for changing it. */
export function decodeBlock(bytes: BlockBytes, key: BlockKey): PriceBlock {
  const cursor = new BlockCursor();
  const block: PriceBlock = { cells: [], expiries: cursor.open(bytes, key) ?? new Map() };
  while (cursor.next()) {
    cursor.read();
    const { hotel, board, provider, halfStars } = cursor;
    cursor.eachDay((day, low, high) => {
      block.cells.push({ hotel, board, provider, halfStars, day, low, high });
    });
  }
  return block;
}

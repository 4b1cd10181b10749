import { type BlockKey, damagedBlock } from './block-key.ts';
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
 * Reads price blocks entry by entry into its own fields, because a search reads millions. Checks whole
 * entries, not bytes: it may read past the end, where bytes count as 0, but then throws an error that names
 * the block.
 */
export class BlockCursor {
  hotel = 0;
  /** The entry's lowest price on any day. */
  low = 0;

  /** These fields are valid after `read` only. */
  board = 0;
  provider = 0;
  halfStars = 0;
  /** The entry's days as a bitmap. */
  days = 0;

  /** The day index that the last `lowest` or `highest` found. */
  day = 0;
  /** The block's lowest price. */
  base = 0;

  private bytes: BlockBytes = new Uint8Array(0);
  private block: BlockKey | null = null;
  private at = 0;
  private left = 0;
  private width = 1;
  /** Positions of the next entry's hotel, lowest price and remaining fields. */
  private nextHotel = 0;
  private nextLow = 0;
  private nextRest = 0;
  /** Where the column of hotels ends. */
  private hotelsEnd = 0;
  private rest = 0;
  private isRead = false;
  /** Where the lowest prices of the entry's days begin. */
  private lows = 0;
  /** A bitmap of the days with several prices, and where their highest prices begin. */
  private several = 0;
  private highs = 0;

  /** Starts a block. Returns its expiries by day index; null if no day has one. */
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
    // In the column of hotels, an entry has at least two bytes.
    const isPossible =
      this.width >= 1 &&
      this.width <= 4 &&
      this.base >= 0 &&
      this.left * 2 <= hotels &&
      this.hotelsEnd <= bytes.length;
    if (!isPossible) throw this.damaged();
    return expiries;
  }

  /** Moves to the next entry; returns false after the last. */
  next(): boolean {
    if (this.left === 0) return this.end();
    this.left -= 1;
    this.low = this.base + this.price(this.nextLow);
    this.lows = this.nextLow;
    this.nextLow += this.width;
    this.at = this.nextHotel;
    this.hotel += this.varint();
    // Callers allocate arrays as large as the highest hotel ID.
    if (this.hotel > MAX_VARINT) throw this.damaged();
    this.rest = this.nextRest;
    this.nextRest += this.varint();
    this.nextHotel = this.at;
    this.isRead = false;
    return true;
  }

  /** Reads the entry's other fields, after its hotel and lowest price. */
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
    // If the entry has a single day, its price is the entry's lowest and is not repeated.
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
   * Returns the entry's lowest price on the days in a bitmap, and sets `day` to the first day with it. The entry
   * must have one of the days. Call this and the methods below only after `read`.
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

  /**
   * Returns the entry's highest price on the days in a bitmap, and sets `day` to the first day with it. The entry
   * must have one of the days.
   */
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

  /** The first of the bitmap's days on which the entry has a price. */
  firstDay(mask: number): number {
    const days = this.days & mask;
    this.day = 31 - Math.clz32(days & -days);
    return this.day;
  }

  /** The last of the bitmap's days on which the entry has a price. */
  lastDay(mask: number): number {
    this.day = 31 - Math.clz32(this.days & mask);
    return this.day;
  }

  /** On the days in a bitmap, lowers the prices in `lowest` (by day index) to the entry's. */
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

  /** Calls `visit` for each day, with its index and prices. */
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

  /** Checks after the last entry that both columns end where they should. */
  private end(): false {
    if (this.nextHotel !== this.hotelsEnd || this.nextRest !== this.bytes.length) throw this.damaged();
    return false;
  }

  private damaged(): Error {
    // Stops the cursor, because the bytes read so far may be garbage.
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

  /** Four bytes, as a signed integer. */
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
    // Nearly all varints have one byte.
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

/** Decodes a whole block, to change it. */
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

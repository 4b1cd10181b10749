import type { BlockKey } from './block-key.ts';
import { damagedBlock } from './damaged-block.ts';
import {
  type BlockBytes,
  countBits,
  type DayExpiry,
  MOST_DAYS,
  MOST_VARINT,
  NEVER,
  type PriceBlock,
  WHOLE_MONTH,
} from './price-block.ts';

/**
 * Reads the entries of price blocks one after another. A search reads millions of them, so the entry is in the cursor's
 * own fields and no object is made for it.
 *
 * Impossible bytes are found with a few checks for a block and one or two for an entry, none for a byte: an error names
 * the block. Until then, reading goes on behind the end of the bytes, where they count as 0, and the number of entries
 * is at most half of the number of bytes.
 */
export class BlockCursor {
  hotel = 0;
  /** The lowest price of the entry on any of its days. */
  low = 0;

  /** These are the entry's after `read` only. */
  board = 0;
  provider = 0;
  halfStars = 0;
  /** Bitmap of the entry's days. */
  days = 0;

  /** The day index of the last `lowest` or `highest`. */
  day = 0;
  /** The lowest price of the block. */
  base = 0;

  private bytes: BlockBytes = new Uint8Array(0);
  private block: BlockKey | null = null;
  private at = 0;
  private left = 0;
  private width = 1;
  /** Where the next entry is in the column of hotels, where its lowest price is, and where its rest begins. */
  private nextHotel = 0;
  private nextLow = 0;
  private nextRest = 0;
  /** Where the column of hotels ends. */
  private hotelsEnd = 0;
  /** Where the entry's rest begins. */
  private rest = 0;
  private isRead = false;
  /** Where the lowest prices of the entry's days are. */
  private lows = 0;
  /** Bitmap of the days with several prices, and where their highest are. */
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
    // An entry has two bytes or more in the column of hotels.
    const isPossible =
      this.width >= 1 &&
      this.width <= 4 &&
      this.base >= 0 &&
      this.left * 2 <= hotels &&
      this.hotelsEnd <= bytes.length;
    if (!isPossible) throw this.damaged();
    return expiries;
  }

  /** Moves to the next entry. False after the last one. */
  next(): boolean {
    if (this.left === 0) return this.end();
    this.left -= 1;
    this.low = this.base + this.price(this.nextLow);
    this.lows = this.nextLow;
    this.nextLow += this.width;
    this.at = this.nextHotel;
    this.hotel += this.varint();
    // Who collects by hotel makes room for this number.
    if (this.hotel > MOST_VARINT) throw this.damaged();
    this.rest = this.nextRest;
    this.nextRest += this.varint();
    this.nextHotel = this.at;
    this.isRead = false;
    return true;
  }

  /** Reads the rest of the entry: all but its hotel and its lowest price. */
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
    // The price of a single day is the entry's lowest, which is not repeated.
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
   * The lowest price on the days of a bitmap, some of which the entry has; `day` is the first day that has it. This and
   * all below is of an entry that has been read.
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

  /** The highest price on the days of a bitmap, some of which the entry has; `day` is the first day that has it. */
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

  /** The first of a bitmap's days that the entry has, some of which it has. */
  firstDay(mask: number): number {
    const days = this.days & mask;
    this.day = 31 - Math.clz32(days & -days);
    return this.day;
  }

  /** The last of a bitmap's days that the entry has, some of which it has. */
  lastDay(mask: number): number {
    this.day = 31 - Math.clz32(this.days & mask);
    return this.day;
  }

  /** Lowers each of `lowest`, by day index, to the entry's price on that day of the bitmap. */
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

  /** Behind the last entry, both columns have to end where they said. */
  private end(): false {
    if (this.nextHotel !== this.hotelsEnd || this.nextRest !== this.bytes.length) throw this.damaged();
    return false;
  }

  private damaged(): Error {
    // What was read may have made no sense, and a cursor that goes on must not either.
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
    if (days > MOST_DAYS) throw this.damaged();
    for (let left = days; left > 0; left -= 1) {
      const day = this.byte();
      if (day >= MOST_DAYS) throw this.damaged();
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
    // Nearly all of them have one byte.
    return first < 0x80 ? first : this.longVarint(first);
  }

  private longVarint(first: number): number {
    let value = first - 0x80;
    for (let factor = 128; ; factor *= 128) {
      const byte = this.byte();
      value += (byte & 0x7f) * factor;
      if (value > MOST_VARINT) throw this.damaged();
      if (byte < 0x80) return value;
    }
  }
}

/** A whole block, to be changed. */
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

import type { Pence } from '../../domain/money.ts';
import { bytesOf, bytesWritten, putFixed, putVarint } from './block-bytes.ts';
import { type BlockKey, damagedBlock } from './block-key.ts';
import { MAX_DAYS_IN_MONTH, MAX_VARINT, type PriceBlock } from './price-block.ts';

/**
 * The lowest price of each hotel in a price block. A search by price without filters reads only this, an eighth of the
 * block's bytes.
 *
 * Integers are little-endian, varints LEB128. Hotels are in the order of their ids, in columns:
 *     1  bytes of a price (1 to 4)
 *     4  the lowest price of the block: every price is stored as the difference from it
 *     v  number of hotels
 *     for each hotel: its lowest price
 *     for each hotel: 1 the index of the first day that has it
 *     for each hotel: v its id less the previous hotel's
 */
export type HotelBytes = Uint8Array;

/** Encodes a block's hotels. The block has at least one cell, in the order of `compareCells`. */
export function encodeHotels({ cells }: PriceBlock): HotelBytes {
  const hotels: { hotel: number; low: Pence; day: number }[] = [];
  for (const { hotel, low, day } of cells) {
    const last = hotels.at(-1);
    if (last?.hotel !== hotel) hotels.push({ hotel, low, day });
    else if (low < last.low || (low === last.low && day < last.day)) {
      last.low = low;
      last.day = day;
    }
  }
  const lows = hotels.map(({ low }) => low);
  const base = Math.min(...lows);
  const width = bytesOf(Math.max(...lows) - base);
  return bytesWritten(() => {
    putFixed(width, 1);
    putFixed(base, 4);
    putVarint(hotels.length);
    for (const low of lows) putFixed(low - base, width);
    for (const { day } of hotels) putFixed(day, 1);
    let last = 0;
    for (const { hotel } of hotels) {
      putVarint(hotel - last);
      last = hotel;
    }
  });
}

/**
 * Reads the hotels of price blocks one by one into its own fields, because a search reads hundreds of
 * thousands. Throws an error that names the block if its bytes are invalid, as `BlockCursor` does.
 */
export class HotelCursor {
  hotel = 0;
  low = 0;

  private bytes: HotelBytes = new Uint8Array(0);
  private block: BlockKey | null = null;
  private base = 0;
  private width = 1;
  private left = 0;
  /** Where the next hotel's price, day and ID are. */
  private nextLow = 0;
  private nextDay = 0;
  private nextHotel = 0;

  open(bytes: HotelBytes, block: BlockKey): void {
    this.bytes = bytes;
    this.block = block;
    this.width = bytes[0] ?? 0;
    this.base = this.fixed(1, 4);
    this.nextHotel = 5;
    this.left = this.varint();
    this.nextLow = this.nextHotel;
    this.nextDay = this.nextLow + this.width * this.left;
    this.nextHotel = this.nextDay + this.left;
    this.hotel = 0;
    // A hotel's ID has at least one byte.
    const isPossible =
      this.width >= 1 && this.width <= 4 && this.base >= 0 && this.nextHotel + this.left <= bytes.length;
    if (!isPossible) throw this.damaged();
  }

  /** Moves to the next hotel; returns false after the last. */
  next(): boolean {
    if (this.left === 0) return this.end();
    this.left -= 1;
    this.low = this.base + this.fixed(this.nextLow, this.width);
    this.nextLow += this.width;
    this.nextDay += 1;
    this.hotel += this.varint();
    if (this.hotel > MAX_VARINT) throw this.damaged();
    return true;
  }

  /** The index of the first day with the hotel's lowest price. */
  get day(): number {
    const day = this.bytes[this.nextDay - 1] ?? 0;
    if (day >= MAX_DAYS_IN_MONTH) throw this.damaged();
    return day;
  }

  private end(): false {
    if (this.nextHotel !== this.bytes.length) throw this.damaged();
    return false;
  }

  private damaged(): Error {
    this.left = 0;
    return damagedBlock('hotels', this.block);
  }

  private fixed(at: number, width: number): number {
    const { bytes } = this;
    let value = bytes[at] ?? 0;
    if (width > 1) value |= (bytes[at + 1] ?? 0) << 8;
    if (width > 2) value |= (bytes[at + 2] ?? 0) << 16;
    if (width > 3) value |= (bytes[at + 3] ?? 0) << 24;
    return value;
  }

  private varint(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.bytes[this.nextHotel] ?? 0;
      this.nextHotel += 1;
      value += (byte & 0x7f) * factor;
      if (value > MAX_VARINT) throw this.damaged();
      if (byte < 0x80) return value;
    }
  }
}

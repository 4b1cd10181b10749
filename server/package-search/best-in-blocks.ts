import { firstDayOfMonth } from '../../domain/month.ts';
import type { PackageSort } from '../../domain/sort-by.ts';
import type { BlockCursor } from '../inventory/block-cursor.ts';
import type { BlockKey } from '../inventory/block-key.ts';
import { rankOfPrice } from './rank.ts';
import type { OfferSlice } from './search-engine.ts';

/** A hotel's best rank, and where its offer with this rank is. */
export interface BlockBest {
  hotel: number;
  /** Under a sort by date: the number by which days are ordered, because blocks have no times. */
  rank: number;
  day: number;
  slice: OfferSlice;
}

/** Collects the best offer of each hotel under a sort. Of offers with equal rank the first by key counts. */
export class BestInBlocks {
  private readonly sort: PackageSort;
  private readonly isByPrice: boolean;
  /** The index of each hotel by its id, plus 1; ids are small numbers. */
  private indexes = new Int32Array(2 ** 12);
  /** The ranks of `best`, each at its index plus 1: an array of numbers is faster to look at than objects. */
  private ranks = new Float64Array(2 ** 10);
  /** The stays and airports of the offers. */
  private readonly stays = new Set<number>();
  private readonly airports = new Set<number>();
  private lastBlock: BlockKey | null = null;
  /** Whether a hotel has offers in several resorts. */
  private hasMoved = false;
  private readonly best: {
    readonly hotel: number;
    rank: number;
    day: number;
    board: number;
    block: BlockKey;
  }[] = [];

  constructor(sort: PackageSort) {
    this.sort = sort;
    this.isByPrice = sort === 'PRICE_ASC';
  }

  add(cursor: BlockCursor, days: number, block: BlockKey): void {
    const { hotel } = cursor;
    if (block !== this.lastBlock) this.startBlock(block);
    // A read beyond an array's end would slow down all of them.
    if (hotel >= this.indexes.length) this.makeRoom(hotel);
    const place = this.indexes[hotel] ?? 0;
    // Most entries end here.
    if (place !== 0 && this.isByPrice && (this.ranks[place] ?? 0) < cursor.low) return;
    cursor.read();
    const { board } = cursor;
    const rank = this.rankOf(cursor, days, block);
    const held = this.best[place - 1];
    if (held === undefined) {
      this.indexes[hotel] = this.best.push({ hotel, rank, day: dayOf(cursor, block), board, block });
      if (this.best.length >= this.ranks.length) this.ranks = enlarged(this.ranks, this.best.length);
      this.ranks[this.best.length] = rank;
      return;
    }
    if (held.block[6] !== block[6]) this.hasMoved = true;
    if (rank > held.rank) return;
    const day = dayOf(cursor, block);
    if (rank === held.rank && !isBefore(day, block, board, held)) return;
    this.ranks[place] = rank;
    held.rank = rank;
    held.day = day;
    held.board = board;
    held.block = block;
  }

  get count(): number {
    return this.best.length;
  }

  all(): BlockBest[] {
    return this.best.map(
      ({ hotel, rank, day, block: [party, nights, , airport, country, region, resort] }) => ({
        hotel,
        rank,
        day,
        slice: [day, nights, party, country, region, resort, airport, hotel],
      }),
    );
  }

  /** Every slice in which a hotel can have an offer on its day; null if they are not known. */
  slicesOf({
    slice: [day = 0, , party = 0, country = 0, region = 0, resort = 0, , hotel = 0],
  }: BlockBest): OfferSlice[] | null {
    if (this.hasMoved) return null;
    return [...this.stays].flatMap((nights) =>
      [...this.airports].map((airport) => [day, nights, party, country, region, resort, airport, hotel]),
    );
  }

  private startBlock(block: BlockKey): void {
    this.lastBlock = block;
    this.stays.add(block[1]);
    this.airports.add(block[3]);
  }

  private rankOf(cursor: BlockCursor, days: number, [, , month]: BlockKey): number {
    const { sort } = this;
    if (sort === 'DEPARTURE_DATE_ASC') return firstDayOfMonth(month) + cursor.firstDay(days);
    if (sort === 'DEPARTURE_DATE_DESC') return -(firstDayOfMonth(month) + cursor.lastDay(days));
    const price = sort === 'PRICE_DESC' ? cursor.highest(days) : cursor.lowest(days);
    return rankOfPrice(sort, cursor.halfStars, price);
  }

  private makeRoom(hotel: number): void {
    this.indexes = enlarged(this.indexes, hotel);
  }
}

/** A copy of an array that has room for `index`. */
function enlarged<T extends Int32Array | Float64Array>(array: T, index: number): T {
  const larger = new (array.constructor as new (length: number) => T)(2 ** Math.ceil(Math.log2(index + 1)));
  larger.set(array);
  return larger;
}

function dayOf(cursor: BlockCursor, [, , month]: BlockKey): number {
  return firstDayOfMonth(month) + cursor.day;
}

/** Whether a hotel's offer comes before another by key. */
function isBefore(
  day: number,
  block: BlockKey,
  board: number,
  other: { day: number; block: BlockKey; board: number },
): boolean {
  const [, nights, , airport, country, region, resort] = block;
  const [, otherNights, , otherAirport, otherCountry, otherRegion, otherResort] = other.block;
  const difference =
    day - other.day ||
    nights - otherNights ||
    country - otherCountry ||
    region - otherRegion ||
    resort - otherResort ||
    airport - otherAirport ||
    board - other.board;
  return difference < 0;
}

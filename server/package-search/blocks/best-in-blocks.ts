import { firstDayOfMonth } from '../../../domain/month.ts';
import type { PackageSort } from '../../../domain/sort-by.ts';
import type { BlockCursor } from '../../inventory/block-cursor.ts';
import type { HotelCursor } from '../../inventory/block-hotels.ts';
import type { BlockKey } from '../../inventory/block-key.ts';
import { rankOfPrice } from '../query/rank.ts';
import type { OfferSlice } from '../query/search-engine.ts';
import type { TieOrder } from '../query/tie-order.ts';

/** A hotel's best rank, and where to find its offer. */
export interface BlockBest {
  hotel: number;
  /** Under a sort by date, the departure day (negative if the latest is first): blocks have no times. */
  rank: number;
  day: number;
  slice: OfferSlice;
}

/** Collects each hotel's best offer under a sort. Of offers with equal ranks, the first in `TieOrder` counts. */
export class BestInBlocks {
  private readonly sort: PackageSort;
  private readonly ties: Pick<TieOrder, 'compareAirports'>;
  private readonly isByPrice: boolean;
  /** By hotel id, the hotel's index in `best`, plus 1; 0 if it has none. Ids are small. */
  private indexes = new Int32Array(2 ** 12);
  /** The ranks in `best`, each at its index plus 1. Reading numbers is faster than reading objects. */
  private ranks = new Float64Array(2 ** 10);
  private readonly best: {
    readonly hotel: number;
    rank: number;
    day: number;
    block: BlockKey;
  }[] = [];

  constructor(sort: PackageSort, ties: Pick<TieOrder, 'compareAirports'>) {
    this.sort = sort;
    this.ties = ties;
    this.isByPrice = sort === 'PRICE_ASC';
  }

  add(cursor: BlockCursor, days: number, block: BlockKey): void {
    const place = this.placeOf(cursor.hotel);
    // Most entries cannot be the best, and are not read further.
    if (place !== 0 && this.isByPrice && (this.ranks[place] ?? 0) < cursor.low) return;
    cursor.read();
    const rank = this.rankOf(cursor, days, block);
    this.hold(place, cursor.hotel, rank, cursor.day, block);
  }

  /** Adds a hotel whose offers in the block all match, under a sort by lowest price. */
  addHotel(cursor: HotelCursor, block: BlockKey): void {
    const { hotel, low } = cursor;
    const place = this.placeOf(hotel);
    if (place === 0 || low <= (this.ranks[place] ?? 0)) this.hold(place, hotel, low, cursor.day, block);
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

  /** The hotel's index in `ranks`; 0 if it is not there yet. */
  private placeOf(hotel: number): number {
    // Reading beyond an array's end would slow down all reads.
    if (hotel >= this.indexes.length) this.indexes = enlarged(this.indexes, hotel);
    return this.indexes[hotel] ?? 0;
  }

  /** Keeps the offer on day `dayIndex` of the block's month if it is the hotel's best so far. */
  private hold(place: number, hotel: number, rank: number, dayIndex: number, block: BlockKey): void {
    const best = this.best[place - 1];
    const day = firstDayOfMonth(block[2]) + dayIndex;
    if (best === undefined) {
      this.indexes[hotel] = this.best.push({ hotel, rank, day, block });
      if (this.best.length >= this.ranks.length) this.ranks = enlarged(this.ranks, this.best.length);
      this.ranks[this.best.length] = rank;
      return;
    }
    if (rank > best.rank || (rank === best.rank && !this.isBefore(day, block, best))) return;
    this.ranks[place] = rank;
    best.rank = rank;
    best.day = day;
    best.block = block;
  }

  /** Whether an offer precedes another of the same hotel and rank. Boards are compared later. */
  private isBefore(day: number, block: BlockKey, other: { day: number; block: BlockKey }): boolean {
    const [, nights, , airport, country, region, resort] = block;
    const [, otherNights, , otherAirport, otherCountry, otherRegion, otherResort] = other.block;
    const difference =
      day - other.day ||
      nights - otherNights ||
      country - otherCountry ||
      region - otherRegion ||
      resort - otherResort ||
      this.ties.compareAirports(airport, otherAirport);
    return difference < 0;
  }

  private rankOf(cursor: BlockCursor, days: number, [, , month]: BlockKey): number {
    const { sort } = this;
    if (sort === 'DEPARTURE_DATE_ASC') return firstDayOfMonth(month) + cursor.firstDay(days);
    if (sort === 'DEPARTURE_DATE_DESC') return -(firstDayOfMonth(month) + cursor.lastDay(days));
    const price = sort === 'PRICE_DESC' ? cursor.highest(days) : cursor.lowest(days);
    return rankOfPrice(sort, cursor.halfStars, price);
  }
}

/** A copy of an array with room for `index`. */
function enlarged<T extends Int32Array | Float64Array>(array: T, index: number): T {
  const larger = new (array.constructor as new (length: number) => T)(2 ** Math.ceil(Math.log2(index + 1)));
  larger.set(array);
  return larger;
}

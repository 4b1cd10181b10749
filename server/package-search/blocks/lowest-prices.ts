import { firstDayOfMonth } from '../../../domain/month.ts';
import type { BlockKey } from '../../inventory/block-key.ts';
import { MAX_DAYS_IN_MONTH } from '../../inventory/price-block.ts';
import type { FoundPrices, LowestPrice, LowestPricesQuery, PlaceLevel } from '../query/package-repository.ts';
import { MAX_BLOCKS } from '../query/search-cost.ts';
import type { SearchEngine } from '../query/search-engine.ts';
import {
  type BlockVisitor,
  type CheapestVisitor,
  readsTooMuch,
  scanBlocks,
  scanCheapestBlocks,
} from './block-scan.ts';

export async function lowestPrices(engine: SearchEngine, query: LowestPricesQuery): Promise<FoundPrices> {
  const departures = await engine.departures(query);
  if (await readsTooMuch(engine, query, departures, MAX_BLOCKS.calendar))
    return { prices: [], isTooWide: true };
  const { per, most } = query;
  const found = (collected: Collector): FoundPrices => {
    const prices = collected.prices();
    return { prices: most === null ? prices : prices.filter(({ price }) => price <= most), isTooWide: false };
  };
  if (per === 'day') {
    const collected = lowestByDay();
    await scanBlocks(engine, query, departures, collected);
    return found(collected);
  }
  if (per === 'board') {
    const collected = lowestByBoardAndMonth(query.hotels);
    await scanBlocks(engine, query, departures, collected);
    return found(collected);
  }
  const collected = lowestByPlaceAndMonth(per);
  await scanCheapestBlocks(engine, query, departures, collected);
  return found(collected);
}

/** The lowest prices of these hotels, or of all. */
function lowestByBoardAndMonth(hotels: readonly number[] | undefined): Collector & BlockVisitor {
  const wanted = hotels && new Set(hotels);
  const lowestOf = new Map<string, LowestPrice & { board: number }>();
  return {
    add(cursor, days, block) {
      if (wanted?.has(cursor.hotel) === false) return;
      cursor.read();
      const { board } = cursor;
      const key = `${board} ${block[2]}`;
      const price = cursor.lowest(days);
      const day = firstDayOfMonth(block[2]) + cursor.day;
      const known = lowestOf.get(key);
      if (known !== undefined && !isBetter(price, day, block, known)) return;
      const [, nights, , , country, region, resort] = block;
      lowestOf.set(key, { day, nights, price, country, region, resort, board });
    },
    prices: () => [...lowestOf.values()].sort((one, other) => one.board - other.board || one.day - other.day),
  };
}

interface Collector {
  prices(): LowestPrice[];
}

/** A month's lowest prices by day index, and their blocks. */
interface MonthPrices {
  prices: Float64Array;
  blocks: (BlockKey | null)[];
}

function lowestByDay(): Collector & BlockVisitor {
  const byMonth = new Map<number, MonthPrices>();
  const ofBlock = new Float64Array(MAX_DAYS_IN_MONTH);
  let open: BlockKey | null = null;
  /** An entry of the open block whose lowest price is above this cannot lower any day's price. */
  let ceiling = 0;

  function monthOf([, , month]: BlockKey): MonthPrices {
    const known = byMonth.get(month);
    if (known !== undefined) return known;
    const added = { prices: new Float64Array(MAX_DAYS_IN_MONTH).fill(Number.POSITIVE_INFINITY), blocks: [] };
    byMonth.set(month, added);
    return added;
  }

  /** Merges the open block's lowest prices into those of its month. */
  function close(): void {
    if (open === null) return;
    const { prices, blocks } = monthOf(open);
    for (let day = 0; day < MAX_DAYS_IN_MONTH; day += 1) {
      const price = ofBlock[day] ?? 0;
      const lowest = prices[day] ?? 0;
      if (price > lowest || price === Number.POSITIVE_INFINITY) continue;
      if (price === lowest && compareBlocks(open, blocks[day] ?? open) >= 0) continue;
      prices[day] = price;
      blocks[day] = open;
    }
    open = null;
  }

  return {
    wants(block, days, lowest) {
      // The last block is usually of the same month, so its prices are merged first.
      close();
      return highestOf(monthOf(block).prices, days) >= lowest;
    },
    add(cursor, days, block) {
      if (block !== open) {
        close();
        open = block;
        ofBlock.fill(Number.POSITIVE_INFINITY);
        ceiling = highestOf(monthOf(block).prices, days);
      }
      if (cursor.low > ceiling) return;
      cursor.read();
      cursor.lowerEach(days, ofBlock);
    },
    prices() {
      close();
      return [...byMonth]
        .flatMap(([month, { prices, blocks }]) =>
          [...prices].flatMap((price, day) => lowestPrice(firstDayOfMonth(month) + day, price, blocks[day])),
        )
        .sort((one, other) => one.day - other.day);
    },
  };
}

/** The highest price on the days of a bitmap. */
function highestOf(prices: Float64Array, days: number): number {
  let highest = 0;
  for (let rest = days; rest !== 0; rest &= rest - 1) {
    highest = Math.max(highest, prices[31 - Math.clz32(rest & -rest)] ?? 0);
  }
  return highest;
}

function lowestPrice(day: number, price: number, block: BlockKey | null | undefined): LowestPrice[] {
  if (!block) return [];
  const [, nights, , , country, region, resort] = block;
  return [{ day, nights, price, country, region, resort }];
}

/** Orders the shorter stay first, then by place. */
function compareBlocks(one: BlockKey, other: BlockKey): number {
  return one[1] - other[1] || one[4] - other[4] || one[5] - other[5] || one[6] - other[6];
}

/** The position of a level's place in a block's key. */
const PLACE_OF_BLOCK = { country: 4, region: 5, resort: 6 } as const;

/** Combines a place and a month in one number: months since 1970 stay below this. */
const MONTH_SPAN = 2 ** 12;

function lowestByPlaceAndMonth(level: PlaceLevel): Collector & CheapestVisitor {
  const placeOf = PLACE_OF_BLOCK[level];
  const lowestOf = new Map<number, LowestPrice>();
  const keyOf = (block: BlockKey) => block[placeOf] * MONTH_SPAN + block[2];
  let open: BlockKey | null = null;
  /** The lowest price so far for the open block's place and month. */
  let lowest: LowestPrice | undefined;

  /** Adds a block's price, and returns the place's lowest. */
  function add(block: BlockKey, price: number, day: number): LowestPrice {
    const [, nights, , , country, region, resort] = block;
    const known = lowestOf.get(keyOf(block));
    if (known !== undefined && !isBetter(price, day, block, known)) return known;
    const added = { day, nights, price, country, region, resort };
    lowestOf.set(keyOf(block), added);
    return added;
  }

  return {
    addLowest: add,
    wants: (block, _days, lowest) =>
      lowest <= (lowestOf.get(keyOf(block))?.price ?? Number.POSITIVE_INFINITY),
    add(cursor, days, block) {
      if (block !== open) {
        open = block;
        lowest = lowestOf.get(keyOf(block));
      }
      if (lowest !== undefined && lowest.price < cursor.low) return;
      cursor.read();
      lowest = add(block, cursor.lowest(days), firstDayOfMonth(block[2]) + cursor.day);
    },
    prices: () =>
      [...lowestOf.values()].sort((one, other) => one[level] - other[level] || one.day - other.day),
  };
}

/** Whether a price precedes the lowest so far: by price, then day, then stay, then place. */
function isBetter(price: number, day: number, block: BlockKey, lowest: LowestPrice): boolean {
  const [, nights, , , country, region, resort] = block;
  const difference =
    price - lowest.price ||
    day - lowest.day ||
    nights - lowest.nights ||
    country - lowest.country ||
    region - lowest.region ||
    resort - lowest.resort;
  return difference < 0;
}

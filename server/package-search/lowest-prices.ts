import { firstDayOfMonth } from '../../domain/month.ts';
import type { BlockKey } from '../inventory/block-key.ts';
import { MOST_DAYS } from '../inventory/price-block.ts';
import { type BlockVisitor, readsTooMuch, scanBlocks } from './block-scan.ts';
import type { FoundPrices, LowestPrice, LowestPricesQuery } from './package-repository.ts';
import { MOST_BLOCKS } from './search-cost.ts';
import type { SearchEngine } from './search-engine.ts';

/** Finds the lowest prices of a query in the price blocks. */
export async function lowestPrices(engine: SearchEngine, query: LowestPricesQuery): Promise<FoundPrices> {
  const departures = await engine.departures(query);
  if (await readsTooMuch(engine, query, departures, MOST_BLOCKS.calendar))
    return { prices: [], isTooWide: true };
  const collected = query.per === 'day' ? lowestByDay() : lowestByResortAndMonth();
  await scanBlocks(engine, query, departures, collected);
  return { prices: collected.prices(), isTooWide: false };
}

interface Collector extends BlockVisitor {
  prices(): LowestPrice[];
}

/** The lowest prices of a month by day index, and their blocks. */
interface MonthPrices {
  prices: Float64Array;
  blocks: (BlockKey | null)[];
}

function lowestByDay(): Collector {
  const byMonth = new Map<number, MonthPrices>();
  const ofBlock = new Float64Array(MOST_DAYS);
  let open: BlockKey | null = null;

  function monthOf([, , month]: BlockKey): MonthPrices {
    const known = byMonth.get(month);
    if (known !== undefined) return known;
    const added = { prices: new Float64Array(MOST_DAYS).fill(Number.POSITIVE_INFINITY), blocks: [] };
    byMonth.set(month, added);
    return added;
  }

  /** Takes the lowest prices of the block that was added last. */
  function close(): void {
    if (open === null) return;
    const { prices, blocks } = monthOf(open);
    for (let day = 0; day < MOST_DAYS; day += 1) {
      const price = ofBlock[day] ?? 0;
      const held = prices[day] ?? 0;
      if (price > held || price === Number.POSITIVE_INFINITY) continue;
      if (price === held && compareBlocks(open, blocks[day] ?? open) >= 0) continue;
      prices[day] = price;
      blocks[day] = open;
    }
    open = null;
  }

  return {
    wants(block, days, lowest) {
      // The blocks of a month come one after another, so the last one's prices count already.
      close();
      const { prices } = monthOf(block);
      for (let rest = days; rest !== 0; rest &= rest - 1) {
        if ((prices[31 - Math.clz32(rest & -rest)] ?? 0) >= lowest) return true;
      }
      return false;
    },
    add(cursor, days, block) {
      if (block !== open) {
        close();
        open = block;
        ofBlock.fill(Number.POSITIVE_INFINITY);
      }
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

function lowestPrice(day: number, price: number, block: BlockKey | null | undefined): LowestPrice[] {
  if (!block) return [];
  const [, nights, , , country, region, resort] = block;
  return [{ day, nights, price, country, region, resort }];
}

/** The shorter stay, or else by place. */
function compareBlocks(one: BlockKey, other: BlockKey): number {
  return one[1] - other[1] || one[4] - other[4] || one[5] - other[5] || one[6] - other[6];
}

function lowestByResortAndMonth(): Collector {
  const byMonth = new Map<number, Map<number, LowestPrice>>();
  return {
    wants: ([, , month, , , , resort], _days, lowest) =>
      lowest <= (byMonth.get(month)?.get(resort)?.price ?? Number.POSITIVE_INFINITY),
    add(cursor, days, block) {
      const [, nights, month, , country, region, resort] = block;
      let byResort = byMonth.get(month);
      if (byResort === undefined) {
        byResort = new Map();
        byMonth.set(month, byResort);
      }
      const price = cursor.lowest(days);
      const held = byResort.get(resort);
      const day = firstDayOfMonth(month) + cursor.day;
      if (held === undefined) byResort.set(resort, { day, nights, price, country, region, resort });
      else if (isBetter(price, day, block, held)) Object.assign(held, { day, nights, price });
    },
    prices: () =>
      [...byMonth.values()]
        .flatMap((byResort) => [...byResort.values()])
        .sort((one, other) => one.resort - other.resort || one.day - other.day),
  };
}

/** Cheaper, or as cheap and earlier, or as early and shorter, or else by place. */
function isBetter(price: number, day: number, block: BlockKey, held: LowestPrice): boolean {
  const [, nights, , , country, region, resort] = block;
  const difference =
    price - held.price ||
    day - held.day ||
    nights - held.nights ||
    country - held.country ||
    region - held.region ||
    resort - held.resort;
  return difference < 0;
}

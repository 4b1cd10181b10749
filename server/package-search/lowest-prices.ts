import { firstDayOfMonth } from '../../domain/month.ts';
import type { BlockCursor } from '../inventory/block-cursor.ts';
import type { BlockKey } from '../inventory/block-key.ts';
import { MOST_DAYS } from '../inventory/price-block.ts';
import { readsTooMuch, scanBlocks } from './block-scan.ts';
import type { FoundPrices, LowestPrice, LowestPricesQuery } from './package-repository.ts';
import type { SearchEngine } from './search-engine.ts';
import { MOST_BLOCKS } from './too-wide.ts';

/** Finds the lowest prices of a query in the price blocks. */
export async function lowestPrices(engine: SearchEngine, query: LowestPricesQuery): Promise<FoundPrices> {
  const departures = await engine.departures(query);
  if (await readsTooMuch(engine, query, departures, MOST_BLOCKS)) return { prices: [], isTooWide: true };
  const collected = query.per === 'day' ? lowestByDay() : lowestByResortAndMonth();
  await scanBlocks(engine, query, departures, collected.add);
  return { prices: collected.prices(), isTooWide: false };
}

interface Collector {
  add(cursor: BlockCursor, days: number, block: BlockKey): void;
  prices(): LowestPrice[];
}

function lowestByDay(): Collector {
  const byDay = new Map<number, LowestPrice>();
  const ofMonth = new Float64Array(MOST_DAYS);
  let open: BlockKey | null = null;

  /** Takes the lowest prices of the block that was added last. */
  function close(): void {
    if (open === null) return;
    const [, nights, month, , country, region, resort] = open;
    for (const [index, price] of ofMonth.entries()) {
      if (price === Number.POSITIVE_INFINITY) continue;
      const day = firstDayOfMonth(month) + index;
      const held = byDay.get(day);
      if (held === undefined) byDay.set(day, { day, nights, price, country, region, resort });
      else if (isBetter(price, day, open, held))
        Object.assign(held, { nights, price, country, region, resort });
    }
  }

  return {
    add(cursor, days, block) {
      if (block !== open) {
        close();
        open = block;
        ofMonth.fill(Number.POSITIVE_INFINITY);
      }
      cursor.lowerEach(days, ofMonth);
    },
    prices() {
      close();
      open = null;
      return [...byDay.values()].sort((one, other) => one.day - other.day);
    },
  };
}

function lowestByResortAndMonth(): Collector {
  const byMonth = new Map<number, Map<number, LowestPrice>>();
  return {
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

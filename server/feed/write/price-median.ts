import type { Pence } from '../../../domain/money.ts';

/** Prices in one page of counters. */
const PAGE = 4_096;

export interface PriceMedian {
  add(price: Pence): void;
  /** The lower of the two in the middle; null without prices. */
  median(): Pence | null;
}

/** The exact median, from a count of each price: memory grows with the range of the prices, not with their number. */
export function priceMedian(): PriceMedian {
  const pages: (Uint32Array | undefined)[] = [];
  let total = 0;
  return {
    add(price) {
      const number = Math.floor(price / PAGE);
      const page = pages[number] ?? new Uint32Array(PAGE);
      pages[number] = page;
      page[price % PAGE] = (page[price % PAGE] ?? 0) + 1;
      total += 1;
    },
    median() {
      if (total === 0) return null;
      let before = Math.floor((total - 1) / 2);
      for (const [number, page] of pages.entries()) {
        for (const [nth, count] of page?.entries() ?? []) {
          if (count > before) return number * PAGE + nth;
          before -= count;
        }
      }
      return null;
    },
  };
}

import type { Pence } from '../../../domain/money.ts';

/** Packages and their median price; null without packages. */
export interface PriceMeasure {
  packages: number;
  median: Pence | null;
}

export interface FeedMeasure extends PriceMeasure {
  countries: Readonly<Record<string, PriceMeasure>>;
}

/** Counts prices, in total and by country. */
export interface PriceCounter {
  add(country: string | number, price: Pence, count?: number): void;
  /** `nameOf`: the name of a country. */
  measure(nameOf?: (country: string | number) => string): FeedMeasure;
}

export function priceCounter(): PriceCounter {
  const all = new Map<Pence, number>();
  const countries = new Map<string | number, Map<Pence, number>>();
  const note = (prices: Map<Pence, number>, price: Pence, count: number) =>
    prices.set(price, (prices.get(price) ?? 0) + count);
  return {
    add(country, price, count = 1) {
      note(all, price, count);
      const own = countries.get(country) ?? new Map<Pence, number>();
      countries.set(country, note(own, price, count));
    },
    measure(nameOf = String) {
      const entries = [...countries].map(([country, prices]) => [nameOf(country), measureOf(prices)]);
      return { ...measureOf(all), countries: Object.fromEntries(entries) as FeedMeasure['countries'] };
    },
  };
}

function measureOf(prices: ReadonlyMap<Pence, number>): PriceMeasure {
  const packages = [...prices.values()].reduce((sum, count) => sum + count, 0);
  return { packages, median: priceMedian(prices) };
}

/** The lower of the two middle prices; null without prices. `counts` is how often each price occurs. */
export function priceMedian(counts: Iterable<readonly [price: number, count: number]>): number | null {
  const sorted = [...counts].toSorted(([one], [other]) => one - other);
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  let before = Math.floor((total - 1) / 2);
  const middle = sorted.find(([, count]) => {
    before -= count;
    return before < 0;
  });
  return middle?.[0] ?? null;
}

export function poundsOf(pence: Pence): string {
  return `£${(pence / 100).toFixed(2)}`;
}

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { priceMedian } from './price-median.ts';

it('the median of prices is the lower middle one of the sorted prices', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(30_000_000), { maxLength: 200 }), (prices) => {
      const counted = priceMedian();
      for (const price of prices) counted.add(price);
      const sorted = prices.toSorted((one, other) => one - other);
      expect(counted.median()).toBe(sorted[Math.floor((sorted.length - 1) / 2)] ?? null);
    }),
  );
});

import { expect, it } from 'vitest';
import { adaptedRates } from './adaptive-rates.ts';
import { NOMINAL_RATES } from './error-range.ts';
import { expectedPrice, fitHedonicModel, type HedonicModel, type PricedExample } from './hedonic-model.ts';

/** A day's prices around £1,000, with errors of up to `spread` that differ between the sets. */
function pricesOf(set: number, spread: number, count: number): PricedExample[] {
  return Array.from({ length: count }, (_, index) => {
    const hotel = 1 + (index % 40);
    const error = Math.sin(set * 7_919 + index * 12.9898) * spread;
    return {
      priced: {
        departureDay: 20_900 + (index % 90),
        nights: 7,
        party: 1,
        fares: 2,
        country: 1,
        region: 1,
        resort: 1,
        hotel,
        airport: 1,
        nation: 'england-wales',
        board: 1,
        room: 1,
        provider: 1,
        halfStars: 6,
      },
      pricedDay: 20_850,
      price: Math.round(100_000 * Math.exp(error)),
    };
  });
}

const fitted = (rates = NOMINAL_RATES): HedonicModel => {
  const model = fitHedonicModel(pricesOf(1, 0.1, 3_000), rates);
  if (model === null) throw new Error('there are enough examples');
  return model;
};

/** The share of unseen prices inside the range after days on which unseen prices vary by `spread`. */
function coverageAfter(days: number, spread: number): number {
  let model = fitted();
  for (let day = 0; day < days; day += 1) model = fitted(adaptedRates(model, pricesOf(2 + day, spread, 500)));
  const unseen = pricesOf(99, spread, 500);
  const inside = unseen.filter(({ priced, pricedDay, price }) => {
    const { low, high } = expectedPrice(model, priced, pricedDay);
    return low <= price && price <= high;
  });
  return inside.length / unseen.length;
}

it('widens the next range after prices that it missed, until four in five are inside again', () => {
  expect(coverageAfter(0, 0.11)).toBeLessThan(0.76);
  expect(coverageAfter(8, 0.11)).toBeGreaterThan(0.77);
});

it('narrows a range that misses too few prices', () => {
  const model = fitted();
  const { below, above } = adaptedRates(model, pricesOf(2, 0.02, 500));
  expect(below).toBeGreaterThan(model.range.rates.below);
  expect(above).toBeGreaterThan(model.range.rates.above);
});

it('changes nothing with too few new prices', () => {
  const model = fitted({ below: 0.05, above: 0.2 });
  expect(adaptedRates(model, pricesOf(2, 0.1, 49))).toEqual({ below: 0.05, above: 0.2 });
});

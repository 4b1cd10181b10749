import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { solveByCholesky } from './cholesky.ts';
import {
  conformalHalfWidth,
  expectedPrice,
  fitHedonicModel,
  type PricedExample,
  traitContributions,
} from './hedonic-model.ts';

/** Reproducible pseudo-random numbers in [0, 1). */
function numbers(): () => number {
  let state = 11;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A market with known coefficients: 30% per star, 5% between four airports, and noise of up to 8%. */
function market(count: number): PricedExample[] {
  const random = numbers();
  const pick = (most: number) => Math.floor(random() * most);
  return Array.from({ length: count }, () => {
    const priced = {
      departureDay: 20_900 + pick(300),
      nights: 7,
      region: 1,
      resort: 1 + pick(5),
      airport: 1 + pick(4),
      board: 1 + pick(2),
      room: 1,
      provider: 1 + pick(3),
      halfStars: 6 + 2 * pick(3),
    };
    const log = 11 + 0.3 * ((priced.halfStars - 6) / 2) + 0.05 * priced.airport + (random() - 0.5) * 0.16;
    return { priced, pricedDay: 20_850, price: Math.round(Math.exp(log)) };
  });
}

describe('the hedonic model', () => {
  const model = fitHedonicModel(market(6_000));
  if (model === null) throw new Error('6,000 examples are enough');
  const unseen = market(9_000).slice(6_000);

  it('recovers the coefficients of a generated market', () => {
    const of = (halfStars: number) => model.shares.stars[halfStars] ?? Number.NaN;
    expect(of(8) - of(6)).toBeCloseTo(0.3, 1.5);
    expect(of(10) - of(8)).toBeCloseTo(0.3, 1.5);
    expect((model.shares.airport[4] ?? 0) - (model.shares.airport[1] ?? 0)).toBeCloseTo(0.15, 1.5);
    expect(Math.abs((model.shares.provider[1] ?? 0) - (model.shares.provider[2] ?? 0))).toBeLessThan(0.01);
  });

  it('has four of five unseen prices in its range', () => {
    const inside = unseen.filter(({ priced, pricedDay, price }) => {
      const { low, high } = expectedPrice(model, priced, pricedDay);
      return low <= price && price <= high;
    });
    expect(inside.length / unseen.length).toBeCloseTo(0.8, 1.2);
  });

  it('gives contributions relative to the mean, which sum to zero over all packages', () => {
    const shares = market(6_000)
      .filter((_, index) => index % 5 !== 0)
      .map(({ priced, pricedDay }) => traitContributions(model, priced, pricedDay));
    for (const trait of ['stars', 'airport', 'resort'] as const) {
      const mean = shares.reduce((sum, share) => sum + share[trait], 0) / shares.length;
      expect(mean).toBeCloseTo(0, 4);
    }
  });

  it('gives an expected price for an unseen resort and airport', () => {
    const [{ priced, pricedDay } = { priced: null, pricedDay: 0 }] = unseen;
    if (priced === null) throw new Error('there are examples');
    const { price, low, high } = expectedPrice(model, { ...priced, resort: 99, airport: 99 }, pricedDay);
    expect(low).toBeLessThan(price);
    expect(price).toBeLessThan(high);
  });

  it('is null for too few examples', () => {
    expect(fitHedonicModel(market(99))).toBeNull();
  });
});

it('the conformal range contains the next value with the stated probability', () => {
  const misses = [5, 1, 4, 2, 3, 9, 8, 7, 6];
  // The rank of the next error among nine is uniform over ten: eight ranks lie at or below the eighth.
  expect(conformalHalfWidth(misses, 0.8)).toBe(8);
  expect(conformalHalfWidth([1, 2], 0.8)).toBe(Number.POSITIVE_INFINITY);
});

it('solves a positive definite system', () => {
  const value = fc.double({ min: -3, max: 3, noNaN: true });
  fc.assert(
    fc.property(
      fc.array(fc.array(value, { minLength: 4, maxLength: 4 }), { minLength: 4, maxLength: 4 }),
      fc.array(value, { minLength: 4, maxLength: 4 }),
      (factor, wanted) => {
        const size = 4;
        const matrix = Array.from({ length: size * size }, (_, index) => {
          const [row, column] = [Math.floor(index / size), index % size];
          const product = factor.reduce((sum, line) => sum + (line[row] ?? 0) * (line[column] ?? 0), 0);
          return product + (row === column ? 1 : 0);
        });
        const right = wanted.map((_, row) =>
          wanted.reduce((sum, x, column) => sum + (matrix[row * size + column] ?? 0) * x, 0),
        );
        const solution = solveByCholesky(Float64Array.from(matrix), Float64Array.from(right));
        expect([...solution]).toEqual(wanted.map((x) => expect.closeTo(x, 6)));
      },
    ),
  );
  expect(() => solveByCholesky(Float64Array.of(0), Float64Array.of(1))).toThrow('not positive definite');
});

import { describe, expect, it } from 'vitest';
import { median } from '../../../domain/median.ts';
import { effectiveCount, errorRange, errorRangeOf } from './error-range.ts';
import { expectedPrice, fitHedonicModel, type PricedExample, partyFactor } from './hedonic-model.ts';
import { solveSparseRidge } from './sparse-ridge.ts';

/** Reproducible pseudo-random numbers in [0, 1). */
function numbers(): () => number {
  let state = 11;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A market with known coefficients: 30% per star, 5% between airports, and noise of up to 8%. */
function market(count: number): PricedExample[] {
  const random = numbers();
  const pick = (most: number) => Math.floor(random() * most);
  return Array.from({ length: count }, () => {
    const priced = {
      departureDay: 20_900 + pick(300),
      nights: 7,
      party: 1,
      fares: 2,
      country: 1,
      region: 1,
      hotel: 1 + pick(40),
      nation: 'england-wales' as const,
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

describe('The hedonic model', () => {
  const model = fitHedonicModel(market(6_000));
  if (model === null) throw new Error('6,000 examples are enough');
  const unseen = market(9_000).slice(6_000);

  it('finds the coefficients of a generated market', () => {
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

  it('estimates a price for an unseen resort and airport', () => {
    const [{ priced, pricedDay } = { priced: null, pricedDay: 0 }] = unseen;
    if (priced === null) throw new Error('there are examples');
    const { price, low, high } = expectedPrice(model, { ...priced, resort: 99, airport: 99 }, pricedDay);
    expect(low).toBeLessThan(price);
    expect(price).toBeLessThan(high);
  });

  it('learns what each party pays, and estimates an unseen party by its fares', () => {
    // A single supplement of 30%, and children at half an adult's price.
    const paid = [
      { party: 1, fares: 2, price: 2 },
      { party: 2, fares: 1, price: 1.3 },
      { party: 3, fares: 2.6, price: 2.5 },
    ];
    const examples = market(9_000).map((one, index) => {
      const { party, fares, price } = paid[index % 3] ?? { party: 0, fares: 1, price: 1 };
      return { ...one, priced: { ...one.priced, party, fares }, price: Math.round((one.price * price) / 2) };
    });
    const mixed = fitHedonicModel(examples.slice(0, 6_000));
    if (mixed === null) throw new Error('6,000 examples are enough');
    const errors = examples
      .slice(6_000)
      .map(({ priced, pricedDay, price }) =>
        Math.abs(expectedPrice(mixed, priced, pricedDay).price / price - 1),
      );
    // The noise alone has a median of 4%.
    expect(median(errors)).toBeLessThan(0.045);
    const [{ priced, pricedDay } = { priced: null, pricedDay: 0 }] = examples;
    if (priced === null) throw new Error('there are examples');
    const of = (party: number, fares: number) =>
      expectedPrice(mixed, { ...priced, party, fares }, pricedDay).price;
    expect(of(9, 4) / of(1, 2)).toBeGreaterThan(1.7);
    expect(of(9, 4) / of(1, 2)).toBeLessThan(2.3);
  });

  it('gives newer prices more weight than older ones', () => {
    const onDays = (fifthMoreFrom: number) => {
      const fitted = fitHedonicModel(
        market(6_000).map((one, index) => {
          const pricedDay = 20_850 - (index % 28);
          const factor = one.priced.provider === 1 && pricedDay > fifthMoreFrom ? 1.2 : 1;
          return { ...one, pricedDay, price: Math.round(one.price * factor) };
        }),
      );
      const of = market(6_000).find(({ priced }) => priced.provider === 1)?.priced;
      return fitted === null || of === undefined ? Number.NaN : expectedPrice(fitted, of, 20_851).price;
    };
    // Prices rose for the last two of four weeks, so their plain mean is a tenth higher.
    expect(onDays(20_836) / onDays(20_851)).toBeGreaterThan(1.11);
  });

  it('converts prices only between parties and rooms that it knows', () => {
    const family = { party: 2, fares: 2.6, room: 2 };
    const both = fitHedonicModel(
      market(6_000).map((one, index) =>
        index % 2 === 0
          ? one
          : {
              ...one,
              priced: { ...one.priced, ...family },
              price: Math.round(one.price * (one.priced.hotel <= 20 ? 1.2 : 1.5)),
            },
      ),
    );
    const [{ priced: couple } = { priced: null }] = market(1);
    if (both === null || couple === null) throw new Error('there are enough examples');
    const factor = (hotel: number) =>
      partyFactor(both, { ...couple, ...family, hotel }, { ...couple, hotel }) ?? Number.NaN;
    expect(factor(3)).toBeCloseTo(1.2, 1.5);
    expect(factor(33)).toBeCloseTo(1.5, 1.5);
    expect(partyFactor(both, { ...couple, party: 3 }, couple)).toBeNull();
    expect(partyFactor(both, couple, { ...couple, room: 9 })).toBeNull();
  });

  it('is null for too few examples', () => {
    expect(fitHedonicModel(market(99))).toBeNull();
  });
});

describe('The hedonic model, on a market that it has to learn', () => {
  /** Hotels differ by a quarter, with prices from four weeks. The noise alone has a median of 4%. */
  const hotels = (count: number): PricedExample[] =>
    market(count).map(({ priced, price }, index) => {
      const pricedDay = 20_850 - (index % 28);
      const hotel = Math.exp(0.25 * Math.sin(priced.hotel * 7));
      return { priced, pricedDay, price: Math.round(price * hotel) };
    });

  const medianError = (examples: readonly PricedExample[], tried: readonly PricedExample[]) => {
    const model = fitHedonicModel(examples);
    if (model === null) throw new Error('there are enough examples');
    const errors = tried.map(({ priced, price }) =>
      Math.abs(expectedPrice(model, priced, 20_853).price / price - 1),
    );
    return median(errors) ?? Number.NaN;
  };

  it('learns the differences between hotels', () => {
    const examples = hotels(6_000);
    expect(medianError(examples.slice(0, 5_000), examples.slice(5_000))).toBeLessThan(0.045);
  });

  it.each([
    ['the whole market', [1, 2, 3]],
    ['one provider', [1]],
  ])('learns a shift of 15% by %s from three days of prices', (_, providers) => {
    const shifted = (one: PricedExample, from: number): PricedExample => {
      const isShifted = providers.includes(one.priced.provider) && one.pricedDay >= from;
      return { ...one, price: Math.round(one.price * (isShifted ? 1.15 : 1)) };
    };
    const examples = hotels(7_000);
    const tried = examples
      .slice(5_000)
      .filter(({ priced }) => providers.includes(priced.provider))
      .map((one) => shifted(one, 0));
    const known = examples.slice(0, 5_000).map((one) => shifted(one, 20_848));
    expect(medianError(known, tried)).toBeLessThan(0.047);
  });

  it('ignores prices with a wrong decimal point', () => {
    const examples = hotels(6_000);
    const slipped = examples.map((one, index) =>
      index % 50 === 0 ? { ...one, price: Math.round(one.price / 10) } : one,
    );
    expect(medianError(slipped.slice(0, 5_000), examples.slice(5_000))).toBeLessThan(0.05);
  });
});

describe('The range of errors', () => {
  const priced = market(1).map((one) => one.priced)[0];
  if (priced === undefined) throw new Error('there is an example');
  const errorsOf = (country: number, resort: number, spread: number) =>
    Array.from({ length: 500 }, (_, index) => ({
      priced: { ...priced, country, resort, hotel: index },
      price: 100_000 + index,
      error: spread * (((index * 37) % 500) / 250 - 1),
      weight: 1,
    }));
  const range = errorRange([...errorsOf(1, 1, 0.1), ...errorsOf(2, 2, 0.3)]);

  it.each([
    [1, 1, 0.1],
    [2, 2, 0.3],
  ])('contains four of five errors in country %i', (country, resort, spread) => {
    const { below, above } = errorRangeOf(range, { ...priced, country, resort });
    const inside = errorsOf(country, resort, spread).filter(({ error }) => -below <= error && error <= above);
    expect(inside.length / 500).toBeCloseTo(0.8, 1);
  });

  it('counts errors of one hotel and month, and unequal weights, as fewer errors', () => {
    const errors = errorsOf(1, 1, 0.1).slice(0, 100);
    const inOneHotel = errors.map((one) => ({ ...one, priced: { ...one.priced, hotel: 1 } }));
    expect(effectiveCount(errors)).toBeCloseTo(100, 6);
    expect(effectiveCount(inOneHotel)).toBeCloseTo(100 / (1 + 99 * 0.2), 6);
    expect(effectiveCount(errors.map((one, nth) => ({ ...one, weight: nth < 50 ? 1 : 0 })))).toBeCloseTo(
      50,
      6,
    );
    expect(effectiveCount([])).toBe(0);
  });

  it("uses the country's range for an unknown resort", () => {
    expect(errorRangeOf(range, { ...priced, country: 2, resort: 99 }).above).toBeCloseTo(0.24, 1);
  });
});

it('solves a sparse ridge regression, so that penalties balance the weighted residuals of every column', () => {
  const random = numbers();
  const rows = Array.from({ length: 200 }, () => [
    Math.floor(random() * 5),
    5 + Math.floor(random() * 7),
    12 + Math.floor(random() * 3),
  ]);
  const size = 15;
  const penalties = Float64Array.from({ length: size }, (_, column) => 1 + (column % 3));
  const targets = Float64Array.from(rows, () => random() - 0.5);
  const weights = Float64Array.from(rows, (_, nth) => 0.5 ** (nth % 3));
  const columns = Int32Array.from(rows.flat());
  const solution = solveSparseRidge({ columns, perRow: 3, size, penalties, weights }, targets);
  const balance = Array.from(solution, (coefficient, column) => -(penalties[column] ?? 0) * coefficient);
  for (const [nth, row] of rows.entries()) {
    const predicted = row.reduce((sum, column) => sum + (solution[column] ?? 0), 0);
    for (const column of row) {
      balance[column] = (balance[column] ?? 0) + (weights[nth] ?? 1) * ((targets[nth] ?? 0) - predicted);
    }
  }
  expect(balance).toEqual(balance.map(() => expect.closeTo(0, 3)));
  expect(solution.some((coefficient) => Math.abs(coefficient) > 0.01)).toBe(true);
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgePrice, type PriceLevel } from './price-verdict.ts';

const seven = (pence: number) => Array.from({ length: 7 }, () => pence);

function levelOf(price: number, own: number, comparable: number): PriceLevel {
  const verdict = judgePrice({ price, ownPrices: seven(own), comparablePrices: seven(comparable) });
  if (verdict.kind !== 'verdict') throw new Error('seven of each are enough');
  return verdict.level;
}

describe('the verdict on a price', () => {
  it.each<[PriceLevel, string, number, number, number]>([
    ['typical', 'at both medians', 100_000, 100_000, 100_000],
    ['typical', 'a penny above 15% below both', 85_001, 100_000, 100_000],
    ['low', 'exactly 15% below both', 85_000, 100_000, 100_000],
    ['low', '15% below its own alone', 85_000, 100_000, 90_000],
    ['low', '15% below comparable packages alone', 85_000, 90_000, 100_000],
    ['typical', 'a penny under 15% above both', 114_999, 100_000, 100_000],
    ['high', 'exactly 15% above both', 115_000, 100_000, 100_000],
    ['high', '15% above its own alone', 115_000, 100_000, 110_000],
    ['typical', 'below its own and above comparable packages', 85_000, 100_000, 70_000],
    ['typical', 'above its own and below comparable packages', 85_000, 70_000, 100_000],
  ])('is %s %s', (level, _, price, own, comparable) => {
    expect(levelOf(price, own, comparable)).toBe(level);
  });

  it('uses the mean of the middle two as the median of an even number of prices', () => {
    const prices = [1, 2, 3, 100, 201, 300, 400, 500];
    expect(judgePrice({ price: 128, ownPrices: prices, comparablePrices: prices })).toMatchObject({
      own: { median: 150.5, prices: 8, level: 'typical' },
      level: 'typical',
    });
    expect(judgePrice({ price: 127, ownPrices: prices, comparablePrices: prices })).toMatchObject({
      level: 'low',
    });
  });

  it.each([
    [6, 700],
    [700, 6],
    [0, 0],
  ])('returns no verdict for %i own and %i comparable prices', (own, comparable) => {
    const verdict = judgePrice({
      price: 1,
      ownPrices: Array.from({ length: own }, () => 100_000),
      comparablePrices: Array.from({ length: comparable }, () => 100_000),
    });
    expect(verdict).toEqual({ kind: 'not-enough-prices', ownPrices: own, comparablePrices: comparable });
  });

  it('marks a price far from a median', () => {
    const verdict = judgePrice({ price: 75_000, ownPrices: seven(100_000), comparablePrices: seven(99_999) });
    expect(verdict).toMatchObject({ own: { strong: true, percent: -25 }, comparable: { strong: false } });
  });

  const pence = fc.integer({ min: 1, max: 33_554_431 });
  const prices = fc.array(pence, { minLength: 7, maxLength: 40 });

  it('is Typical exactly within the range that it shows', () => {
    fc.assert(
      fc.property(pence, prices, prices, (price, ownPrices, comparablePrices) => {
        const verdict = judgePrice({ price, ownPrices, comparablePrices });
        if (verdict.kind !== 'verdict') throw new Error('seven of each are enough');
        const { level, typicalLow, typicalHigh } = verdict;
        expect(typicalLow).toBeLessThanOrEqual(typicalHigh);
        if (price < typicalLow) expect(level).toBe('low');
        else if (price > typicalHigh) expect(level).toBe('high');
        else if (typicalLow < price && price < typicalHigh) expect(level).toBe('typical');
      }),
    );
  });

  it('depends neither on the order of prices nor on one outlier among many', () => {
    fc.assert(
      fc.property(
        pence,
        fc.shuffledSubarray([90, 95, 100, 100, 100, 105, 110], { minLength: 7 }),
        (absurd, own) => {
          const ownPrices = own.map((pounds) => pounds * 100);
          const plain = judgePrice({ price: 9_000, ownPrices, comparablePrices: ownPrices });
          const odd = judgePrice({
            price: 9_000,
            ownPrices: [...ownPrices, absurd],
            comparablePrices: ownPrices,
          });
          expect(plain).toMatchObject({ level: 'typical', own: { median: 10_000 } });
          expect(odd).toMatchObject({ level: 'typical', own: { median: 10_000 } });
        },
      ),
    );
  });

  it('never rises while the price falls', () => {
    const order: PriceLevel[] = ['low', 'typical', 'high'];
    fc.assert(
      fc.property(pence, pence, pence, pence, (one, other, own, comparable) => {
        const [cheaper, dearer] = [Math.min(one, other), Math.max(one, other)];
        const rank = (price: number) => order.indexOf(levelOf(price, own, comparable));
        expect(rank(cheaper)).toBeLessThanOrEqual(rank(dearer));
      }),
    );
  });
});

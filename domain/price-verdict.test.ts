import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgePrice, type PriceEstimate, type VerdictInput } from './price-verdict.ts';
import { verdictLabel, verdictSentence } from './price-verdict-words.ts';

const times = (count: number, pence: number) => Array.from({ length: count }, () => pence);

function verdictOn(changes: Partial<VerdictInput>) {
  return judgePrice({
    price: 100_000,
    daysSinceSeen: 0,
    staleAfterDays: 3,
    ownPrices: times(30, 100_000),
    comparables: { prices: times(42, 100_000), hotels: 6 },
    expected: null,
    ...changes,
  });
}

const market = (pence: number, hotels = 6) => ({ prices: times(42, pence), hotels });
const expecting = (price: number): PriceEstimate => ({
  price,
  low: Math.round(price * 0.93),
  high: Math.round(price * 1.07),
});

function levelOf(changes: Partial<VerdictInput>): string {
  const verdict = verdictOn(changes);
  return verdict.kind === 'verdict' ? verdict.level : verdict.kind;
}

describe('The verdict on a price', () => {
  it.each([
    ['typical', 'at both medians', 100_000, 100_000, 100_000],
    ['typical', 'a pound above 15% below both', 85_000, 100_000, 100_000],
    ['low', 'over 15% below both', 84_900, 100_000, 100_000],
    ['low', '15% below its own and 5% below comparable packages', 84_900, 100_000, 90_000],
    ['typical', '15% below its own and 4% below comparable packages', 84_900, 100_000, 88_500],
    ['low', '15% below comparable packages and 5% below its own', 84_900, 90_000, 100_000],
    ['typical', '15% below comparable packages alone', 84_900, 85_000, 100_000],
    ['typical', 'a penny under 15% above both', 114_999, 100_000, 100_000],
    ['high', 'over 15% above both', 115_100, 100_000, 100_000],
    ['typical', '15% above its own and 4% above comparable packages', 115_100, 100_000, 110_500],
    ['high', '15% above its own and 5% above comparable packages', 115_600, 100_000, 109_500],
    ['typical', 'below its own and above comparable packages', 85_000, 100_000, 70_000],
  ])('is %s %s', (level, _, price, own, comparable) => {
    expect(levelOf({ price, ownPrices: [...times(29, own), price], comparables: market(comparable) })).toBe(
      level,
    );
  });

  it('is neither Low above the expected price nor High below it', () => {
    expect(levelOf({ price: 84_000, expected: expecting(82_000) })).toBe('typical');
    expect(levelOf({ price: 84_000, expected: expecting(86_000) })).toBe('low');
    expect(levelOf({ price: 116_000, expected: expecting(118_000) })).toBe('typical');
    expect(levelOf({ price: 116_000, expected: expecting(114_000) })).toBe('high');
  });

  it.each([
    [
      'few-own-prices',
      { ownPrices: times(6, 100_000) },
      'Too little to go on: we’ve seen a price on only 6 days',
    ],
    [
      'few-comparable-prices',
      { comparables: { prices: times(6, 100_000), hotels: 6 } },
      'Too little to go on: only 6 similar holidays to compare with',
    ],
    [
      'few-comparable-prices',
      { comparables: { prices: [], hotels: 0 } },
      'Too little to go on: no similar holidays to compare with',
    ],
    [
      'few-comparable-hotels',
      { comparables: market(100_000, 2) },
      'Too little to go on: only 2 similar hotels to compare with',
    ],
    ['stale', { daysSinceSeen: 4 }, 'May have changed: we last saw this price 4 days ago'],
  ])('is withheld for the reason %s', (kind, changes, sentence) => {
    const verdict = verdictOn(changes);
    expect(verdict).toMatchObject({ kind: 'no-verdict', reason: { kind } });
    expect(verdictSentence(verdict)).toBe(sentence);
    expect(verdictLabel(verdict)).toBe(sentence.split(':')[0]);
  });

  it('is given until the price is stale', () => expect(levelOf({ daysSinceSeen: 3 })).toBe('typical'));
});

describe('A misleading price', () => {
  const cycle = (high: number, low: number, weeks: number) =>
    Array.from({ length: weeks }, () => [...times(high, 120_000), ...times(low, 100_000)]).flat();

  it.each<[string, Partial<VerdictInput>]>([
    [
      'raised for its first eight days, then cut to the market',
      { ownPrices: [...times(8, 119_000), 100_000], expected: expecting(100_000) },
    ],
    [
      'raised for 59 days and cut to above its earlier price',
      {
        price: 108_000,
        ownPrices: [...times(40, 100_000), ...times(59, 130_000), 108_000],
        comparables: market(130_000),
      },
    ],
    [
      'high on four days of seven',
      { ownPrices: cycle(4, 3, 12), comparables: market(125_000), expected: expecting(125_000) },
    ],
    [
      'high on six days of seven',
      { ownPrices: cycle(6, 1, 12), comparables: market(125_000), expected: expecting(125_000) },
    ],
    [
      'raised slowly and then cut',
      {
        ownPrices: [...Array.from({ length: 60 }, (_, day) => 100_000 + day * 500), 100_000],
        comparables: market(120_000),
      },
    ],
  ])('%s earns no Low', (_, changes) => expect(levelOf(changes)).toBe('typical'));

  it.each([
    ['a tenth of its price', 10_000, expecting(100_000)],
    ['a tenth of its price, without a model', 10_000, null],
    ['the price of one of two', 50_000, expecting(96_000)],
    ['just under half of what is expected', 49_900, expecting(100_000)],
  ])('that is %s gets a warning to check it', (_, price, expected) => {
    const verdict = verdictOn({ price, expected });
    expect(verdictLabel(verdict)).toBe('Check this price');
    expect(verdictSentence(verdict)).toMatch(
      /^Check this price: it’s far below the £(1,000|960) we’d expect/,
    );
  });

  it('gets the warning even before there are enough prices', () => {
    const changes = { price: 40_000, ownPrices: [40_000], expected: expecting(100_000) };
    expect(verdictOn(changes).kind).toBe('check-price');
  });
});

describe('The level, range, percentages and sentence of a verdict', () => {
  const pence = fc.integer({ min: 10_000, max: 500_000 });
  const around = (base: number) =>
    fc
      .array(fc.double({ min: 0.5, max: 1.8, noNaN: true }), { minLength: 7, maxLength: 60 })
      .map((factors) => factors.map((factor) => Math.round(base * factor)));
  const markets = pence.chain((base) =>
    fc.record({
      price: fc.double({ min: 0.4, max: 2, noNaN: true }).map((factor) => Math.round(base * factor)),
      ownPrices: around(base),
      comparables: fc.record({ prices: around(base), hotels: fc.integer({ min: 3, max: 30 }) }),
      expected: fc.option(fc.double({ min: 0.6, max: 1.6, noNaN: true }).map((by) => expecting(base * by))),
    }),
  );

  it('agree for every generated price', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(markets, (input) => {
        const verdict = verdictOn(input);
        if (verdict.kind !== 'verdict') return;
        const { price, expected } = input;
        const { level, typicalLow, typicalHigh, own, comparable } = verdict;
        seen.add(level);
        expect(level).toBe(price < typicalLow ? 'low' : price > typicalHigh ? 'high' : 'typical');
        for (const middle of [own.median, comparable.median]) {
          expect(typicalLow).toBeLessThanOrEqual(middle * 0.95);
          expect(typicalHigh).toBeGreaterThanOrEqual(middle * 1.05);
        }
        if (expected !== null) {
          expect(typicalLow).toBeLessThanOrEqual(expected.price);
          expect(typicalHigh).toBeGreaterThanOrEqual(expected.price);
        }
        expect(typicalHigh / typicalLow).toBeGreaterThan(1.23);
        const side = Math.sign(own.percent) + Math.sign(comparable.percent);
        if (level !== 'typical') expect(side).toBe(level === 'low' ? -2 : 2);
        expect(verdictSentence(verdict)).toMatch(
          level === 'typical'
            ? /^Within the usual £/
            : level === 'low'
              ? /^\d+% below its usual price, \d+% below similar holidays$/
              : /^\d+% above its usual price, \d+% above similar holidays$/,
        );
      }),
      { numRuns: 5_000 },
    );
    expect(seen).toEqual(new Set(['low', 'typical', 'high']));
  });

  it('agree with prices rounded to whole pounds', () => {
    const whole = (amount: number) => Math.floor((amount + 50) / 100);
    fc.assert(
      fc.property(pence, fc.integer({ min: 0, max: 40_000 }), (middle, off) => {
        const changes = { ownPrices: times(30, middle), comparables: market(middle) };
        const price = Math.round(middle * 0.85) - 200 + (off % 400);
        const verdict = verdictOn({ ...changes, price });
        if (verdict.kind !== 'verdict') return;
        expect(verdict.level === 'low').toBe(whole(price) < whole(verdict.typicalLow));
      }),
    );
  });

  it('never move towards High while the price falls', () => {
    const order: string[] = ['low', 'typical', 'high'];
    fc.assert(
      fc.property(markets, pence, (input, other) => {
        const levels = [input.price, other]
          .toSorted((one, two) => one - two)
          .map((price) => order.indexOf(levelOf({ ...input, price, ownPrices: times(30, 120_000) })));
        if (levels.includes(-1)) return;
        expect(levels[0]).toBeLessThanOrEqual(levels[1] ?? 0);
      }),
    );
  });
});

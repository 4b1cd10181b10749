import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayNumber } from './calendar-date.ts';
import { judgePrice, type PriceEstimate, type VerdictInput } from './price-verdict.ts';
import { factsSentence, labelledSentence, verdictLabel, verdictSentence } from './price-verdict-words.ts';

const times = (count: number, pence: number) => Array.from({ length: count }, () => pence);

const expecting = (price: number): PriceEstimate => ({
  price,
  low: Math.round(price * 0.93),
  high: Math.round(price * 1.07),
});

/** Judges a price that is at its median and at the middle of its band, apart from the changes. */
function judged(changes: Partial<VerdictInput>) {
  return judgePrice({
    price: 100_000,
    daysSinceSeen: 0,
    staleAfterDays: 3,
    ownPrices: times(30, 100_000),
    expected: expecting(100_000),
    ...changes,
  });
}

function outcome(changes: Partial<VerdictInput>): string {
  const { verdict, abstention } = judged(changes);
  return verdict ?? abstention ?? 'neither';
}

describe('The verdict on a price', () => {
  it.each<[string, string, Partial<VerdictInput>]>([
    ['typical', 'at the lower end of the band', { price: 93_000 }],
    ['low', 'a pound below the band and below its own median', { price: 92_900 }],
    ['mixed', 'below the band and at its own median', { price: 92_900, ownPrices: times(30, 92_900) }],
    ['typical', 'at the upper end of the band', { price: 107_000 }],
    ['high', 'a pound above the band and above its own median', { price: 107_100 }],
    ['mixed', 'above the band and at its own median', { price: 107_100, ownPrices: times(30, 107_100) }],
    ['typical', 'inside the band of a package that is new', { ownPrices: [100_000] }],
    ['few-prices', 'below the band of a package that is new', { price: 92_900, ownPrices: times(6, 92_900) }],
    ['low', '10% below its own median, without a model', { price: 90_000, expected: null }],
    ['typical', '9% below its own median, without a model', { price: 90_100, expected: null }],
    ['high', '10% above its own median, without a model', { price: 110_000, expected: null }],
    ['few-prices', 'without a model and with six prices', { ownPrices: times(6, 100_000), expected: null }],
    ['typical', 'on the last day before it is stale', { daysSinceSeen: 3 }],
    ['stale', 'a day later', { daysSinceSeen: 4 }],
    ['check-price', 'half of its own median', { price: 50_000, expected: expecting(96_000) }],
    ['check-price', 'half of what is expected, when new', { price: 50_000, ownPrices: [50_000] }],
    ['check-price', 'a tenth of its price, without a model', { price: 10_000, expected: null }],
    [
      'typical',
      'that was raised for eight days and cut to what is expected',
      { ownPrices: [...times(8, 119_000), 100_000] },
    ],
  ])('is %s %s', (expected, _, changes) => {
    expect(outcome(changes)).toBe(expected);
  });

  it('agrees with the whole pounds that are shown, and never moves towards High while the price falls', () => {
    const pence = fc.integer({ min: 20_000, max: 500_000 });
    const shown = (amount: number) => Math.floor((amount + 50) / 100);
    const order = ['low', 'typical', 'high'];
    fc.assert(
      fc.property(pence, pence, fc.double({ min: 0.6, max: 1.6, noNaN: true }), (own, other, by) => {
        const changes = { ownPrices: times(30, own), expected: expecting(Math.round(own * by)) };
        const all = [own, other]
          .toSorted((a, b) => a - b)
          .map((price) => ({ price, ...judged({ ...changes, price }) }));
        for (const { price, verdict, band } of all) {
          if (band === null) throw new Error('there is a model');
          if (verdict === 'low') expect(shown(price)).toBeLessThan(shown(band.low));
          if (verdict === 'high') expect(shown(price)).toBeGreaterThan(shown(band.high));
          if (verdict === 'typical') {
            expect(shown(price)).toBeGreaterThanOrEqual(shown(band.low));
            expect(shown(price)).toBeLessThanOrEqual(shown(band.high));
          }
        }
        const levels = all.flatMap(({ verdict }) =>
          verdict && order.includes(verdict) ? order.indexOf(verdict) : [],
        );
        expect(levels).toEqual(levels.toSorted((a, b) => a - b));
      }),
    );
  });
});

describe('The sentence about a price', () => {
  const change = { amount: 15_100, since: dayNumber('2026-11-09') };
  const band = { low: 165_000, high: 185_000 };
  const facts = { price: 177_400, change, band, ownMedian: 170_000 };

  it.each([
    [facts, '£1,774: up £151 since 9 November; most holidays like this cost £1,650 to £1,850'],
    [
      { ...facts, change: { ...change, amount: -15_100 }, band: null },
      '£1,774: down £151 since 9 November; usually £1,700',
    ],
    [
      { ...facts, change: { ...change, amount: 0 }, band: null, ownMedian: null },
      '£1,774: the same as on 9 November',
    ],
    [{ ...facts, change: null }, '£1,774: most holidays like this cost £1,650 to £1,850'],
    [{ ...facts, change: null, band: null, ownMedian: null }, ''],
  ])('says only what is known: %j', (some, sentence) => {
    expect(factsSentence(some)).toBe(sentence);
  });

  it('has the label in front, once', () => {
    expect(labelledSentence({ label: 'Low', sentence: '£900: usually £990' })).toBe(
      'Low. £900: usually £990',
    );
    const label = 'Too little to go on';
    expect(labelledSentence({ label, sentence: label })).toBe(label);
  });

  it.each<[Partial<VerdictInput>, string, string]>([
    [{ daysSinceSeen: 4 }, 'May have changed', 'May have changed: we last saw this price 4 days ago'],
    [{ expected: null, ownPrices: [] }, 'Too little to go on', 'Too little to go on'],
    [
      { price: 40_000 },
      'Check this price',
      'Check this price: it’s far below the £1,000 we’d expect. It may be a mistake, or per person',
    ],
    [{}, 'Typical', '£1,000: most holidays like this cost £930 to £1,070'],
  ])('explains %j', (changes, label, sentence) => {
    const judgement = judged(changes);
    const { price = 100_000, daysSinceSeen = 0 } = changes;
    expect(verdictLabel(judgement)).toBe(label);
    expect(verdictSentence(judgement, { price, change: null, daysSinceSeen })).toBe(sentence);
  });
});

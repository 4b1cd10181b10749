import { describe, expect, it } from 'vitest';
import type { PriceAnalysisAnswer } from '../domain/price-analysis-answer.ts';
import { parsePriceAnalyses } from './fetch-price-analyses.ts';
import { chance, reasonWords } from './words.ts';

const point = { day: '2026-11-01', price: 900 };

const compared = (percent: number) => ({ median: 1_000, prices: 90, percent });

const good: PriceAnalysisAnswer = {
  itemKey: 'a:key',
  price: 900,
  asOf: '2026-11-20T10:30:00.000Z',
  level: 'LOW',
  label: 'Low',
  sentence: '20% below its usual price, 17% below similar holidays',
  abstention: null,
  holiday: null,
  lowest30: { ...point, days: 30 },
  evidence: {
    typicalLow: 950.5,
    typicalHigh: 1_150.49,
    own: compared(-20),
    comparable: { ...compared(-17), hotels: 4 },
    strong: false,
    comparedWith: 'Benidorm',
    windowDays: 365,
    knownSince: '2026-11-01',
    sample: false,
    history: [point],
    lowest: point,
    latest: point,
  },
  expected: null,
  drop: null,
};

it.each([
  [0, '1%'],
  [0.154, '15%'],
  [1, '99%'],
])('formats a chance of %f as %s', (share, words) => expect(chance(share)).toBe(words));

it.each([
  [863.4, -350.8, '£351 less than the £1,214 expected if this were average'],
  [950, 139.6, '£140 more than the £810 expected if this were average'],
  [950, -0.2, 'no more and no less than if this were average'],
])(
  'compares a trait with the average, for an expected price of %f with a share of %f',
  (price, amount, words) => {
    expect(reasonWords(price, amount)).toBe(words);
  },
);

describe('parsePriceAnalyses', () => {
  const answer = (priceAnalysis: unknown) => ({ data: { priceAnalysis } });

  it('drops invalid analyses', () => {
    const broken = [
      null,
      { ...good, price: 'free' },
      { ...good, price: Number.NaN },
      { ...good, level: 'BARGAIN' },
      { ...good, asOf: 'yesterday' },
      { ...good, evidence: { ...good.evidence, history: [] } },
      { ...good, evidence: { ...good.evidence, history: Array.from({ length: 31 }, () => point) } },
    ];
    expect(parsePriceAnalyses(answer([...broken, good]))).toEqual([good]);
  });

  it.each([[null], [{ errors: [] }], [answer(null)]])('throws for a response without analyses: %j', (raw) => {
    expect(() => parsePriceAnalyses(raw)).toThrow(/./);
  });
});

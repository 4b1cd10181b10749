import { describe, expect, it } from 'vitest';
import type { PriceAnalysisAnswer, PriceEvidenceAnswer } from '../domain/price-analysis-answer.ts';
import { parsePriceAnalyses } from './fetch-price-analyses.ts';
import { against, chance, reasonWords, verdictSentence } from './words.ts';

const comparison = (percent: number, level: 'LOW' | 'TYPICAL' | 'HIGH') => ({
  median: 1_000,
  prices: 90,
  percent,
  level,
  strong: false,
});
const point = { day: '2026-11-01', price: 900 };

function analysis(
  level: PriceAnalysisAnswer['level'],
  own: PriceEvidenceAnswer['own'],
  comparable: PriceEvidenceAnswer['comparable'],
): PriceAnalysisAnswer & { evidence: PriceEvidenceAnswer } {
  return {
    itemKey: 'a:key',
    price: 900,
    asOf: '2026-11-20T10:30:00.000Z',
    level,
    label: 'Low',
    evidence: {
      typicalLow: 850,
      typicalHigh: 1_150,
      own,
      comparable,
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
}

describe('verdictSentence', () => {
  it.each([
    ['LOW', -20, 'LOW', -3, 'TYPICAL', '20% below its usual price'],
    ['HIGH', 2, 'TYPICAL', 31, 'HIGH', '31% above similar holidays'],
    ['LOW', -16, 'LOW', -25, 'LOW', '16% below its usual price, 25% below similar holidays'],
    ['TYPICAL', -14.9, 'TYPICAL', 0.4, 'TYPICAL', '14% below its usual price, level with similar holidays'],
    ['TYPICAL', -20, 'LOW', 18, 'HIGH', '20% below its usual price, but 18% above similar holidays'],
  ] as const)('explains %s by %f and %f', (level, own, ownLevel, comparable, comparableLevel, words) => {
    const one = analysis(level, comparison(own, ownLevel), comparison(comparable, comparableLevel));
    expect(verdictSentence(one, one.evidence)).toBe(words);
  });
});

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

it('rounds percentages down', () => expect(against(14.99)).toBe('14% above'));

describe('parsePriceAnalyses', () => {
  const good = analysis('LOW', comparison(-20, 'LOW'), comparison(-3, 'TYPICAL'));
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

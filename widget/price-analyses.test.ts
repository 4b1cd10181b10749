import { describe, expect, it } from 'vitest';
import type { PriceAnalysisResponse } from '../domain/price-analysis-response.ts';
import { parsePriceAnalyses } from './fetch-price-analyses.ts';
import { judgedAt } from './judged-at.ts';

const point = { day: '2026-11-01', price: 900 };

const good: PriceAnalysisResponse = {
  itemKey: 'a:key',
  price: 900,
  asOf: '2026-11-20T10:30:00.000Z',
  level: 'LOW',
  label: 'Low',
  sentence: '£900: down £50 since 1 November; most holidays like this cost £950 to £1,150',
  abstention: null,
  holiday: null,
  change: { amount: -50, since: '2026-11-01' },
  advice: null,
  lowest30: { ...point, days: 30 },
  expected: { price: 1_040, low: 950, high: 1_150, modelVersion: 3 },
  evidence: {
    own: { median: 1_000, prices: 90 },
    similar: { median: 1_000, prices: 90, hotels: 4, comparedWith: 'Benidorm' },
    knownSince: '2026-11-01',
    sample: false,
    history: [point],
  },
};

it.each([
  [1_200, 'HIGH', 'High', '£1,200: up £250 since 1 November; most holidays like this cost £950 to £1,150'],
  [950, 'TYPICAL', 'Typical', '£950: the same as on 1 November; most holidays like this cost £950 to £1,150'],
])('judges a price of %d that the provider has confirmed', (price, level, label, sentence) => {
  expect(judgedAt(good, price)).toMatchObject({ price, level, label, sentence });
});

describe('parsePriceAnalyses', () => {
  const response = (priceAnalysis: unknown) => ({ data: { priceAnalysis } });

  it('omits invalid analyses', () => {
    const broken = [
      null,
      { ...good, price: 'free' },
      { ...good, price: Number.NaN },
      { ...good, level: 'BARGAIN' },
      { ...good, asOf: 'yesterday' },
      { ...good, evidence: { ...good.evidence, history: [] } },
      { ...good, evidence: { ...good.evidence, history: Array.from({ length: 31 }, () => point) } },
    ];
    expect(parsePriceAnalyses(response([...broken, good]))).toEqual([good]);
  });

  it.each([[null], [{ errors: [] }], [response(null)]])(
    'throws for a response without analyses: %j',
    (raw) => {
      expect(() => parsePriceAnalyses(raw)).toThrow(/^Invalid /);
    },
  );
});

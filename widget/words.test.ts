import { describe, expect, it } from 'vitest';
import type { PriceAnalysisResponse } from '../domain/price-analysis-response.ts';
import { parsePriceAnalyses } from './fetch-price-analyses.ts';
import { reasonWords } from './words.ts';

const point = { day: '2026-11-01', price: 900 };

const compared = (percent: number) => ({ median: 1_000, prices: 90, percent });

const good: PriceAnalysisResponse = {
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
  advice: null,
};

it.each([
  ['Being 3 stars', -251.8, 'Being 3 stars takes £252 off.'],
  ['When you go (August)', 139.6, 'When you go (August) adds £140.'],
  ['This hotel', -0.2, 'This hotel makes no difference.'],
])('states what a reason adds or takes off: %s, %f', (label, amount, words) => {
  expect(reasonWords({ label, amount })).toBe(words);
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

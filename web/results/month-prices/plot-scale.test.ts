import { describe, expect, it } from 'vitest';
import { plotScale } from './plot-scale.ts';

describe('plotScale', () => {
  it.each([
    [[], 1_000, 1_000],
    [[3_999], 4_000, 1_000],
    [[41_200, 67_900], 80_000, 20_000],
    [[100_000], 100_000, 25_000],
    [[100_001], 150_000, 50_000],
    [[1_876_450], 2_000_000, 500_000],
  ])('for %j ends at %i, with lines every %i', (prices, top, step) => {
    expect(plotScale(prices)).toEqual({ top, step });
  });
});

import { describe, expect, it } from 'vitest';
import { BACK_TEST_MARKETS } from './markets.ts';
import { plotSvg } from './plot.ts';
import { reportFiles } from './report.ts';
import { bestThreshold, type Search, waitingAfter, waitOutcome } from './wait-policy.ts';
import { samplePanel, walkForward } from './walk-forward.ts';

const search = (price: number, after: readonly number[], chance: number): Search => ({
  price,
  after: after.map((later, index) => ({ day: index, price: later })),
  chance,
});

describe('The wait policy', () => {
  const dropped = search(100_000, [100_000, 94_000, 80_000, 90_000, 90_000, 90_000, 90_000], 0.6);
  const rose = search(100_000, [99_000, 101_000, 102_000, 103_000, 104_000, 105_000, 107_000], 0.5);
  const unheard = search(100_000, [50_000, 50_000, 50_000, 50_000, 50_000, 50_000, 50_000], 0.1);

  it('buys on the first day of a drop or on the seventh day, and counts every search', () => {
    expect(waitOutcome([dropped, rose, unheard], 0.5)).toEqual({
      searches: 3,
      waits: 2,
      right: 1,
      drops: 2,
      saved: 6_000 - 7_000,
      possible: 20_000 + 1_000 + 50_000,
      spent: 300_000,
    });
  });

  it('never waits if waiting never paid', () => {
    expect(bestThreshold([rose])).toBeGreaterThan(1);
    expect(bestThreshold([dropped, rose])).toBeGreaterThan(0.5);
    expect(bestThreshold([dropped, rose])).toBeLessThanOrEqual(0.6);
  });
});

describe('The back-test', () => {
  const [market] = BACK_TEST_MARKETS;
  if (market === undefined) throw new Error('there are markets');
  const panel = samplePanel(3);
  const folds = walkForward(panel, market, { seed: 3, folds: 1, onFold: () => {} });
  const [fold] = folds;

  it('trains only on the past, and meets its targets in the following week', () => {
    const { inside, priced } = fold?.coverage ?? { inside: 0, priced: 1 };
    expect(inside / priced).toBeCloseTo(0.8, 1);
    expect(fold?.errors.model).toBeLessThan((fold?.errors.comparable ?? 0) * 0.6);
    expect(fold?.errors.model).toBeLessThan(fold?.errors.lastYear ?? 0);
  });

  it('begins with a note that the sample market tests the method, not real prices', () => {
    const wait = waitingAfter(panel, fold?.day ?? 0, 3);
    expect(wait.saved).toBeLessThan(wait.possible);
    const files = reportFiles([{ market, folds }], [wait], 3);
    expect(files['README.md']?.split('\n')[0]).toContain(
      'A sample market tests the method, not the real market',
    );
    expect(Object.keys(files)).toContain('coverage.svg');
    expect(Object.values(files).join('')).not.toMatch(/NaN|Infinity|undefined/);
  });
});

it('escapes text in a plot', () => {
  const svg = plotSvg({
    title: 'a < b & c',
    xTitle: '',
    yTitle: '',
    lines: [],
    x: [0, 1],
    y: [0, 1],
    xTicks: [],
    yTicks: [],
  });
  expect(svg).toContain('<title>a &#60; b &#38; c</title>');
});

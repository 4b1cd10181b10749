import { describe, expect, it } from 'vitest';
import { clusteredMean } from './clustered-mean.ts';
import { BACK_TEST_MARKETS } from './markets.ts';
import { plotSvg } from './plot.ts';
import { reportFiles } from './report.ts';
import { walkForward } from './walk-forward.ts';

describe('The back-test', () => {
  const [market] = BACK_TEST_MARKETS;
  if (market === undefined) throw new Error('there are markets');
  const judged = walkForward(market, { seed: 3, folds: 1, onFold: () => {} });
  const seenFirst = judged.filter(({ isSeenFirst }) => isSeenFirst);

  it('judges random packages and first pages, 7 to 240 days ahead', () => {
    const leads = judged.map(({ lead }) => lead);
    expect(Math.min(...leads)).toBe(7);
    expect(Math.max(...leads)).toBeLessThanOrEqual(240);
    expect(Math.max(...leads)).toBeGreaterThan(230);
    expect(seenFirst.length).toBeGreaterThan(1_000);
    expect(judged.length - seenFirst.length).toBe(2_100);
  });

  it('has four prices in five inside the range, and verdicts whose outcomes differ', () => {
    const share = judged.filter(({ isInside }) => isInside).length / judged.length;
    expect(share).toBeCloseTo(0.8, 1);
    const changeAfter = (level: string) => {
      const changes = judged.flatMap(({ verdict, change }) =>
        verdict === level && change !== null ? [change] : [],
      );
      return changes.reduce((sum, change) => sum + change, 0) / changes.length;
    };
    expect(changeAfter('low')).toBeGreaterThan(changeAfter('high') + 0.02);
    expect(judged.some(({ change }) => change === null)).toBe(true);
  });

  it('says what waiting a week would have saved, also for what sold out', () => {
    const waits = judged.flatMap(({ wait }) => wait ?? []);
    expect(waits.length).toBeGreaterThan(judged.length / 2);
    expect(waits.some(({ saved, price }) => saved === -Math.round(price / 10))).toBe(true);
    expect(waits.some(({ saved }) => saved > 0)).toBe(true);
  });

  it('begins its report with a note that the sample market tests the method, not real prices', () => {
    const files = reportFiles([{ market, judged }], 3);
    expect(files['README.md']?.split('\n')[0]).toContain(
      'A sample market tests the method, not the real market',
    );
    expect(Object.keys(files)).toContain('coverage.svg');
    expect(Object.values(files).join('')).not.toMatch(/NaN|Infinity|undefined/);
  });
});

it('a standard error counts values of one cluster as alike', () => {
  const values = [0, 0, 0, 0, 1, 1, 1, 1].map((value) => ({ value, cluster: value }));
  const alone = values.map(({ value }, cluster) => ({ value, cluster }));
  expect(clusteredMean(values)).toEqual({ mean: 0.5, error: 0.5, count: 8 });
  expect(clusteredMean(alone).error).toBeCloseTo(Math.sqrt(0.25 / 7), 6);
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

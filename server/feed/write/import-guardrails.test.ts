import { describe, expect, it } from 'vitest';
import { reasonsToHold } from './import-guardrails.ts';

const SAME = { packages: 1_000, median: 89_950 };

describe('a feed', () => {
  it.each([
    [10, 7],
    [100, 70],
    [1_000, 700],
    [1_000_003, 700_003],
  ])(
    'with %i packages before and %i now is not kept for review, and with one fewer it is',
    (packages, now) => {
      const feed = { before: { packages, median: 1 }, rows: now, refused: 0 };
      expect(reasonsToHold({ ...feed, after: { packages: now, median: 1 } })).toEqual([]);
      expect(reasonsToHold({ ...feed, after: { packages: now - 1, median: 1 } })).toHaveLength(1);
    },
  );

  it.each([
    [89_950, 125_930, 125_931],
    [89_950, 53_970, 53_969],
    [50_000, 70_000, 70_001],
    [3_000, 1_800, 1_799],
  ])('with a median price of %i before may have one of %i, but not of %i', (was, may, not) => {
    const feed = { before: { ...SAME, median: was }, rows: 1_000, refused: 0 };
    expect(reasonsToHold({ ...feed, after: { ...SAME, median: may } })).toEqual([]);
    expect(reasonsToHold({ ...feed, after: { ...SAME, median: not } })).toHaveLength(1);
  });

  it('may have 3 of 10 rows refused, but not 4', () => {
    const feed = { before: { packages: 0, median: null }, after: SAME, rows: 10 };
    expect(reasonsToHold({ ...feed, refused: 3 })).toEqual([]);
    expect(reasonsToHold({ ...feed, refused: 4 })).toEqual(['40% of rows refused: 4 of 10']);
  });

  it('reports by how much a limit is exceeded, even slightly', () => {
    const before = { packages: 1_000, median: 89_950 };
    expect(reasonsToHold({ before, after: { ...before, packages: 699 }, rows: 699, refused: 0 })).toEqual([
      '30.1% fewer packages: 699, was 1000',
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { type MeasuredImport, reasonsToHold } from './import-guardrails.ts';

const SAME = { packages: 1_000, median: 89_950, countries: {} };
const NOTHING = { packages: 0, median: null, countries: {} };

/** A feed that matches the store, apart from `change`. */
function feed(change: Partial<MeasuredImport>): MeasuredImport {
  const unchanged = { rows: 1_000, refused: 0, moved: 0, fallen: 0, known: 1_000, lately: [] };
  return { before: SAME, after: SAME, ...unchanged, ...change };
}

describe('a feed', () => {
  it.each([
    [10, 7],
    [100, 70],
    [1_000, 700],
    [1_000_003, 700_003],
  ])('with %i packages before and %i now is not held, and with one fewer it is', (packages, now) => {
    const before = { ...SAME, packages };
    expect(reasonsToHold(feed({ before, after: { ...SAME, packages: now } }))).toEqual([]);
    expect(reasonsToHold(feed({ before, after: { ...SAME, packages: now - 1 } }))).toHaveLength(1);
  });

  it.each([
    [89_950, 125_930, 125_931],
    [89_950, 53_970, 53_969],
    [50_000, 70_000, 70_001],
    [3_000, 1_800, 1_799],
  ])('with a median price of %i before may have one of %i, but not of %i', (was, may, not) => {
    const before = { ...SAME, median: was };
    expect(reasonsToHold(feed({ before, after: { ...SAME, median: may } }))).toEqual([]);
    expect(reasonsToHold(feed({ before, after: { ...SAME, median: not } }))).toHaveLength(1);
  });

  it('may have 3 of 10 rows refused, but not 4', () => {
    expect(reasonsToHold(feed({ before: NOTHING, rows: 10, refused: 3 }))).toEqual([]);
    expect(reasonsToHold(feed({ before: NOTHING, rows: 10, refused: 4 }))).toEqual([
      '40% of rows refused: 4 of 10',
    ]);
  });

  it('reports by how much a limit is exceeded, even slightly', () => {
    expect(reasonsToHold(feed({ after: { ...SAME, packages: 699 } }))).toEqual([
      '30.1% fewer packages: 699, was 1000',
    ]);
  });

  it('may have a quarter of its prices moved far, but not more', () => {
    expect(reasonsToHold(feed({ moved: 250 }))).toEqual([]);
    expect(reasonsToHold(feed({ moved: 251 }))).toEqual([
      '25.1% of prices moved by more than 30%: 251 of 1000',
    ]);
    expect(reasonsToHold(feed({ moved: 9, known: 9 }))).toEqual([]);
  });

  it('is held if it shrinks or moves step by step within seven days', () => {
    const lately = [{ packages: 1_400, median: 89_950 }, { packages: 2_000, median: 150_000 }, SAME];
    expect(reasonsToHold(feed({ lately }))).toEqual(['50% fewer packages: 1000, was 2000 within seven days']);
    const risen = { ...SAME, median: 140_000 };
    expect(reasonsToHold(feed({ before: risen, after: risen, lately: [SAME, SAME, risen] }))).toEqual([
      'median price up 55.6%: £1400.00, was £899.50 within seven days',
    ]);
  });

  it('is held if it loses a country, or its prices there move', () => {
    const countries = { Spain: { packages: 900, median: 90_000 }, Malta: { packages: 99, median: 1 } };
    const before = { ...SAME, countries };
    const now = (packages: number, median: number) => ({
      ...SAME,
      countries: { Spain: { packages, median } },
    });
    expect(reasonsToHold(feed({ before, after: now(450, 90_000) }))).toEqual([]);
    expect(reasonsToHold(feed({ before, after: now(449, 90_000) }))).toEqual([
      'Spain: 50.1% fewer packages: 449, was 900',
    ]);
    expect(reasonsToHold(feed({ before, after: now(900, 9_000) }))).toEqual([
      'Spain: median price down 90%: £90.00, was £900.00',
    ]);
  });

  it('may have a fifth of its prices fall far, but not more', () => {
    expect(reasonsToHold(feed({ fallen: 200 }))).toEqual([]);
    expect(reasonsToHold(feed({ fallen: 201 }))).toEqual([
      '20.1% of prices fell by more than 40%: 201 of 1000',
    ]);
    expect(reasonsToHold(feed({ fallen: 9, known: 9 }))).toEqual([]);
  });

  it('is held by its provider’s own limits', () => {
    const fewer = feed({ after: { ...SAME, packages: 600 } });
    expect(reasonsToHold(fewer, { fewerPackages: 40 })).toEqual([]);
    expect(reasonsToHold(feed({ moved: 100 }), { pricesMoved: 5, priceMove: 10 })).toEqual([
      '10% of prices moved by more than 10%: 100 of 1000',
    ]);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatWholePounds, poundsToPence, readPounds } from './money.ts';

describe('poundsToPence', () => {
  it.each([
    [0, 0],
    [1, 100],
    [1234.5, 123450],
    [19.99, 1999],
    [0.29, 29],
    [1.005, 101],
    [4.35, 435],
    [99_999.99, 9_999_999],
  ])('£%d is %d pence', (pounds, pence) => {
    expect(poundsToPence(pounds)).toBe(pence);
  });

  it('returns every whole number of pence exactly', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000_000_000 }), (pence) => {
        expect(poundsToPence(pence / 100)).toBe(pence);
      }),
    );
  });
});

describe('formatWholePounds', () => {
  // @proves 2.37
  it.each([
    [0, '£0'],
    [49, '£0'],
    [50, '£1'],
    [100, '£1'],
    [123_449, '£1,234'],
    [123_450, '£1,235'],
    [123_550, '£1,236'],
    [9_999_900, '£99,999'],
    [123_456_789, '£1,234,568'],
  ])('%d pence is %s', (pence, shown) => {
    expect(formatWholePounds(pence)).toBe(shown);
  });
});

describe('readPounds', () => {
  it.each([
    ['400', 400],
    ['£1,200', 1_200],
    ['under £2,400', 2_400],
    ['Up to 90', 90],
    [' 1 ', 1],
    ['100000', 100_000],
  ])('reads %j as a price', (text, pounds) => {
    expect(readPounds(text)).toBe(pounds);
  });

  it.each(['', '0', '-1', '399.50', '100001', 'four', 'over 90', '1e3', 'Infinity'])('rejects %j', (text) => {
    expect(readPounds(text)).toBeNull();
  });
});

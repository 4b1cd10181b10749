import { describe, expect, it } from 'vitest';
import { FURTHER_SORTS, parseSortBy, SORT_OPTIONS, toPackageSort } from './sort-by.ts';

describe('Sort options', () => {
  it('are those of Section 9, in order, with the labels that the page shows', () => {
    expect(SORT_OPTIONS.map(({ value, label, packageSort }) => [value, label, packageSort])).toEqual([
      ['default', 'Recommended', 'PRICE_ASC'],
      ['price-asc', 'Price low to high', 'PRICE_ASC'],
      ['price-desc', 'Price high to low', 'PRICE_DESC'],
      ['date-asc', 'Departure earliest first', 'DEPARTURE_DATE_ASC'],
      ['date-desc', 'Departure latest first', 'DEPARTURE_DATE_DESC'],
      ['stars-desc', 'Stars high to low', 'STAR_RATING_DESC'],
      ['stars-asc', 'Stars low to high', 'STAR_RATING_ASC'],
    ]);
  });

  // @proves 9.9
  it.each(SORT_OPTIONS)('parses $value, and sends it as $packageSort', ({ value, packageSort }) => {
    expect(parseSortBy(value)).toBe(value);
    expect(toPackageSort(value)).toBe(packageSort);
  });

  it.each(FURTHER_SORTS)('parses $value, and requests packages in order of price', ({ value }) => {
    expect(parseSortBy(value)).toBe(value);
    expect(toPackageSort(value)).toBe('PRICE_ASC');
  });

  it.each(['', 'price', 'PRICE_ASC', 'price-asc ', 'constructor', '__proto__'])('rejects %j', (text) => {
    expect(parseSortBy(text)).toBeNull();
  });
});

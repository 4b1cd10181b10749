import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wireItem } from '../tests/fixtures/wire-item.ts';
import { type PackageHoliday, toPackageHoliday } from './package-holiday.ts';
import { parsePackageSearchItem } from './package-search-item.ts';
import { PAGE_SIZES, pageOf, sortPackages } from './sort-and-page.ts';
import { SORT_OPTIONS } from './sort-by.ts';

interface Traits {
  key: string;
  price?: number;
  adults?: number;
  departs?: string;
  stars?: number | null;
}

function holiday({
  key,
  price = 1_000,
  adults = 2,
  departs = '2027-05-01T06:00:00+01:00',
  stars = 4,
}: Traits): PackageHoliday {
  const parsed = parsePackageSearchItem(
    wireItem({
      ItemKey: key,
      TotalPrice: price,
      NumberOfAdults: adults,
      Hotel: { HotelName: 'Hotel', StarRating: stars },
      Flight: { DepartureDateTime_Outbound: departs },
    }),
  );
  if (parsed.kind === 'refused') throw new Error(parsed.reason);
  return toPackageHoliday(parsed.item, { mappedAt: '', brandCode: 'SKY' });
}

function sorted(traits: readonly Traits[], sortBy: Parameters<typeof sortPackages>[1]): string {
  return sortPackages(traits.map(holiday), sortBy)
    .map(({ ItemKey }) => ItemKey)
    .join('');
}

describe('sortPackages', () => {
  it("keeps the server's order for Recommended", () => {
    expect(
      sorted(
        [
          { key: 'b', price: 9 },
          { key: 'a', price: 5 },
          { key: 'c', price: 7 },
        ],
        'default',
      ),
    ).toBe('bac');
  });

  // @proves 9.8
  it('sorts by the price per adult, not by the total', () => {
    const party = [
      { key: 'a', price: 1_200, adults: 4 },
      { key: 'b', price: 1_000, adults: 2 },
      { key: 'c', price: 450, adults: 1 },
    ];
    expect(sorted(party, 'price-asc')).toBe('acb');
    expect(sorted(party, 'price-desc')).toBe('bca');
  });

  // @proves 9.8
  it('sorts by the instant of departure, across zones and clock changes', () => {
    const flights = [
      { key: 'a', departs: '2027-03-28T01:30:00Z' },
      { key: 'b', departs: '2027-03-28T02:00:00+01:00' },
      { key: 'c', departs: '2027-03-27T23:00:00Z' },
    ];
    expect(sorted(flights, 'date-asc')).toBe('cba');
    expect(sorted(flights, 'date-desc')).toBe('abc');
  });

  it('puts unknown stars last in both directions', () => {
    const hotels = [
      { key: 'a', stars: null },
      { key: 'b', stars: 0 },
      { key: 'c', stars: 4.5 },
      { key: 'd', stars: 4 },
    ];
    expect(sorted(hotels, 'stars-desc')).toBe('cdba');
    expect(sorted(hotels, 'stars-asc')).toBe('bdca');
  });

  it('keeps the order of ties, keeps all packages, and does not change its argument', () => {
    const traits = fc.record({ price: fc.integer({ min: 1, max: 3 }), stars: fc.constantFrom(3, 4, null) });
    const sortBy = fc.constantFrom(...SORT_OPTIONS.map(({ value }) => value));
    fc.assert(
      fc.property(fc.array(traits, { maxLength: 12 }), sortBy, (many, by) => {
        const packages = many.map((each, index) => holiday({ key: String(index).padStart(2, '0'), ...each }));
        const before = [...packages];
        const result = sortPackages(packages, by);
        expect(packages).toEqual(before);
        expect(new Set(result)).toEqual(new Set(before));
        for (const [index, one] of result.entries()) {
          const next = result[index + 1];
          if (next === undefined) continue;
          const tied =
            one.PriceDetails.PricePerAdult === next.PriceDetails.PricePerAdult &&
            one.HotelDetails.StarRating === next.HotelDetails.StarRating;
          if (tied) expect(one.ItemKey < next.ItemKey).toBe(true);
        }
      }),
    );
  });
});

describe('pageOf', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => holiday({ key: `k${index}` }));

  it.each([
    [0, 1, 10, { from: 0, to: 0, totalPages: 0, currentPage: 1 }],
    [1, 1, 10, { from: 1, to: 1, totalPages: 1, currentPage: 1 }],
    [23, 3, 10, { from: 21, to: 23, totalPages: 3, currentPage: 3 }],
    [100, 10, 10, { from: 91, to: 100, totalPages: 10, currentPage: 10 }],
    [100, 50, 2, { from: 99, to: 100, totalPages: 50, currentPage: 50 }],
    [23, 99, 5, { from: 21, to: 23, totalPages: 5, currentPage: 5 }],
    [23, -4, 5, { from: 1, to: 5, totalPages: 5, currentPage: 1 }],
    [23, Number.NaN, 5, { from: 1, to: 5, totalPages: 5, currentPage: 1 }],
  ])('%i packages, page %i of %i each', (count, page, perPage, expected) => {
    expect(pageOf(many(count), page, perPage)).toMatchObject({ ...expected, totalResults: count });
  });

  it('shows every package on exactly one page', () => {
    const packages = many(47);
    for (const perPage of PAGE_SIZES) {
      const { totalPages } = pageOf(packages, 1, perPage);
      const shown = Array.from(
        { length: totalPages },
        (_, index) => pageOf(packages, index + 1, perPage).items,
      ).flat();
      expect(shown).toEqual(packages);
    }
  });
});

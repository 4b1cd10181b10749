import { expect, it } from 'vitest';
import { wireItem } from '../tests/fixtures/wire-item.ts';
import { toPackageHoliday } from './package-holiday.ts';
import { parsePackageSearchItem } from './package-search-item.ts';
import { buildPublishedPageData } from './published-page-data.ts';
import { pageOf } from './sort-and-page.ts';

function build(count: number, changes: Record<string, unknown> = {}) {
  const packages = Array.from({ length: count }, (_, index) => {
    const parsed = parsePackageSearchItem(wireItem({ ItemKey: `k${index}`, ...changes }));
    if (parsed.kind === 'refused') throw new Error(parsed.reason);
    return toPackageHoliday(parsed.item, { mappedAt: '', brandCode: '' });
  });
  const page = pageOf(packages, 2, 2);
  const data = buildPublishedPageData({
    page,
    perPage: 2,
    sortBy: 'price-asc',
    allResultsCount: count,
    brandCode: 'SKY',
    lastUpdated: '2027-01-03T00:00:00.000Z',
  });
  return { page, data };
}

it('publishes only the packages of the current page, with totals for all pages', () => {
  const { data } = build(5);
  expect(data.packages.map(({ ItemKey }) => ItemKey)).toEqual(['k2', 'k3']);
  expect(data.pagination).toEqual({ currentPage: 2, totalPages: 3, totalResults: 5, perPage: 2 });
  expect(data.searchState).toEqual({ sortBy: 'price-asc', allResultsCount: 5 });
  expect(data.lastUpdated).toBe('2027-01-03T00:00:00.000Z');
});

it('gives each package its key, brand, party and three groups', () => {
  const [first] = build(5).data.packages;
  expect(first).toMatchObject({
    Brand: 'SUN',
    FreeChild: false,
    NumberOfAdults: 2,
    NumberOfChildren: 0,
    NumberOfInfants: 0,
    hotel: { HotelName: 'Hotel Brisa', HolidayResort: 'Benidorm' },
    flight: { Outbound: { FlightNumber: 'SK101' }, Inbound: { FlightNumber: 'SK102' } },
    additionalData: { TotalPrice: 1234.5, DepartureDate: '2027-05-01', Duration: 7, Currency: 'GBP' },
  });
});

// @proves 3.18
it('uses the configured brand for a package without one', () => {
  expect(build(3, { Brand: null }).data.packages[0]?.Brand).toBe('SKY');
});

it('shares no objects with the page', () => {
  const { page, data } = build(3);
  const [published] = data.packages;
  published?.hotel.HotelImages.push('https://elsewhere.example/x.png');
  if (published) published.flight.Outbound.AirlineName = 'changed';
  expect(page.items[0]?.HotelDetails.HotelImages).toHaveLength(1);
  expect(page.items[0]?.FlightDetails.Outbound.AirlineName).toBe('Test Air');
});

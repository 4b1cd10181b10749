import { describe, expect, it } from 'vitest';
import type { Airport } from '../../domain/airport.ts';
import { cheapestOf, daysOfMonth, monthFilters } from './price-month.ts';

const GATWICK: Airport = { id: 'LGW', name: 'Gatwick', code: 'LGW', isRegion: false };
const TRIP = {
  destination: ['Spain', 'Costa Blanca', ''] as [string, string, string],
  departureAirport: GATWICK,
  duration: 7,
};
const WINDOW = { earliest: '2027-03-11', latest: '2028-09-10' };

describe('daysOfMonth', () => {
  it.each([
    ['2027-02', 28, '2027-02-28'],
    ['2028-02', 29, '2028-02-29'],
    // The months of London's clock changes.
    ['2027-03', 31, '2027-03-31'],
    ['2027-10', 31, '2027-10-31'],
    ['2027-12', 31, '2027-12-31'],
  ])('lists the days of %s: %i', (month, count, last) => {
    const days = daysOfMonth(month);
    expect(new Set(days).size).toBe(count);
    expect(days[0]).toBe(`${month}-01`);
    expect(days.at(-1)).toBe(last);
    expect(days.every((day) => day.startsWith(month))).toBe(true);
  });
});

describe('monthFilters', () => {
  it('covers every departure of the month and the last return', () => {
    expect(monthFilters(TRIP, '2027-10', WINDOW, 'SKY')).toMatchObject({
      brand: 'SKY',
      startDate: '2027-10-01',
      endDate: '2027-11-07',
      duration: 7,
      departureAirports: ['LGW'],
      country: 'Spain',
      region: 'Costa Blanca',
    });
  });

  it('starts and ends with the days that can be picked', () => {
    expect(monthFilters(TRIP, '2027-03', WINDOW, 'SKY')).toMatchObject({
      startDate: '2027-03-11',
      endDate: '2027-04-07',
    });
    expect(monthFilters(TRIP, '2028-09', WINDOW, 'SKY')).toMatchObject({
      startDate: '2028-09-01',
      endDate: '2028-09-17',
    });
  });

  it('returns null outside the window, and without a destination or an airport', () => {
    expect(monthFilters(TRIP, '2027-02', WINDOW, 'SKY')).toBeNull();
    expect(monthFilters(TRIP, '2028-10', WINDOW, 'SKY')).toBeNull();
    expect(monthFilters({ ...TRIP, destination: null }, '2027-04', WINDOW, 'SKY')).toBeNull();
    expect(monthFilters({ ...TRIP, departureAirport: null }, '2027-04', WINDOW, 'SKY')).toBeNull();
  });

  it('keeps the party, the board and the stars', () => {
    const trip = {
      ...TRIP,
      party: { adults: 2, children: 1, infants: 0 },
      boardBasis: 'AI',
      starRating: '4',
    };
    expect(monthFilters(trip, '2027-04', WINDOW, 'SKY')).toMatchObject({
      numberOfChildren: 1,
      boardBasis: 'AI',
      starRating: 4,
    });
  });
});

describe('cheapestOf', () => {
  it('compares prices to the penny', () => {
    const prices = new Map([
      ['2027-05-02', 41_240],
      ['2027-05-01', 41_160],
      ['2027-05-03', 90_000],
    ]);
    expect(cheapestOf(prices)).toEqual({ price: 41_160, days: ['2027-05-01'] });
  });

  it('returns every day with the lowest price', () => {
    const prices = new Map([
      ['2027-05-09', 400],
      ['2027-05-01', 400],
      ['2027-05-03', 500],
    ]);
    expect(cheapestOf(prices)?.days).toEqual(['2027-05-01', '2027-05-09']);
  });

  it('returns null without prices', () => {
    expect(cheapestOf(new Map())).toBeNull();
  });
});

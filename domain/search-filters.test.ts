import { describe, expect, it } from 'vitest';
import type { Airport } from './airport.ts';
import { buildSearchFilters, destinationTuple, type SearchParameters } from './search-filters.ts';

const GATWICK: Airport = { id: 'LGW', name: 'London Gatwick', code: 'LGW', isRegion: false };
const LONDON: Airport = {
  id: 'region:LON',
  name: 'London',
  code: 'LON',
  isRegion: true,
  order: 0,
  childAirports: [{ code: 'LGW' }, { code: 'LHR' }],
};

function filters(changes: Partial<SearchParameters> = {}) {
  const asked = {
    destination: ['Spain', 'Costa Blanca', 'Benidorm'],
    departureAirport: GATWICK,
    date: '2027-05-01',
    duration: 7,
  } as const;
  return buildSearchFilters({ ...asked, ...changes }, 'SKY');
}

// @proves 7.5
it('returns the variables of Section 7', () => {
  expect(filters()).toEqual({
    brand: 'SKY',
    startDate: '2027-05-01',
    endDate: '2027-05-08',
    departureAirports: ['LGW'],
    numberOfAdults: 2,
    numberOfChildren: 0,
    numberOfInfants: 0,
    duration: 7,
    country: 'Spain',
    region: 'Costa Blanca',
    resort: 'Benidorm',
  });
});

it('omits the blank levels of a destination', () => {
  const sent = filters({ destination: ['Spain', '', ''] });
  expect(sent).toMatchObject({ country: 'Spain' });
  expect(sent).not.toHaveProperty('region');
  expect(sent).not.toHaveProperty('resort');
});

// @proves 7.7
it('expands a region to all its airports', () => {
  expect(filters({ departureAirport: LONDON })?.departureAirports).toEqual(['LGW', 'LHR']);
});

// @proves 5.4
it.each([
  [4, '2027-03-02'],
  [14, '2027-03-12'],
  [null, '2027-03-05'],
  [0, '2027-03-05'],
  [-3, '2027-03-05'],
])('ends a trip of %j nights from 26 February on %s; the default is 7 nights', (duration, endDate) => {
  expect(filters({ date: '2027-02-26', duration })?.endDate).toBe(endDate);
});

describe('A search with a missing part', () => {
  it.each([
    ['destination', { destination: null }],
    ['destination', { destination: ['', ' ', ''] as const }],
    ['airport', { departureAirport: null }],
    ['airport', { departureAirport: { ...LONDON, childAirports: [] } }],
    ['date', { date: null }],
    ['date', { date: '2027-02-30' }],
  ])('has no filters: %s', (_, changes) => {
    expect(filters(changes)).toBeNull();
  });
});

// @proves 5.3
it.each([
  ['4', 4],
  ['4.5', 4],
  ['5 stars', 5],
])('converts the star rating %j to the whole number %i', (starRating, whole) => {
  expect(filters({ starRating })?.starRating).toBe(whole);
});

// @proves 7.5
it('omits a star rating that is not a number, and a blank board', () => {
  const sent = filters({ starRating: 'many', boardBasis: ' ' });
  expect(sent).not.toHaveProperty('starRating');
  expect(sent).not.toHaveProperty('boardBasis');
  expect(filters({ boardBasis: 'AI' })?.boardBasis).toBe('AI');
});

// @proves 7.8
it('accepts a destination as text', () => {
  expect(destinationTuple('Spain,Costa Blanca,Benidorm')).toEqual(['Spain', 'Costa Blanca', 'Benidorm']);
  expect(destinationTuple(' Spain ')).toEqual(['Spain', '', '']);
  expect(destinationTuple(',,Old Town, Harbour')).toEqual(['', '', 'Old Town, Harbour']);
});

it('bounds the departures and the return of a flexible search, and names all its places', () => {
  const places = [['Spain', 'Ibiza', ''] as const];
  const sent = filters({ flexibility: { days: 3, maxNights: 10, places } });
  expect(sent).toMatchObject({
    startDate: '2027-04-28',
    lastDeparture: '2027-05-04',
    endDate: '2027-05-14',
    duration: 7,
    maxDuration: 10,
    places: [
      { country: 'Spain', region: 'Costa Blanca', resort: 'Benidorm' },
      { country: 'Spain', region: 'Ibiza', resort: '' },
    ],
  });
  expect(sent).not.toHaveProperty('country');
});

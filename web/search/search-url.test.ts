import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { airportSelectionKey } from '../../domain/airport.ts';
import { BOARD_BASIS } from '../../domain/board-basis.ts';
import { fromDayNumber } from '../../domain/calendar-date.ts';
import { DURATIONS } from '../../domain/duration.ts';
import { FLEXIBLE_DAYS, NO_FLEXIBILITY } from '../../domain/flexibility.ts';
import { DEFAULT_PARTY } from '../../domain/party.ts';
import type { Refine } from '../../domain/refinements.ts';
import { PAGE_SIZES } from '../../domain/sort-and-page.ts';
import { SORT_OPTIONS } from '../../domain/sort-by.ts';
import { GATWICK, LONDON } from '../../tests/fixtures/page-search.ts';
import { type HolidaySearch, parseSearchUrl, toSearchUrl } from './search-url.ts';

const SEARCH: HolidaySearch = {
  destination: ['Spain', 'Costa Blanca', ''],
  departureAirport: LONDON,
  date: '2027-05-01',
  duration: 7,
  party: DEFAULT_PARTY,
  flexibility: NO_FLEXIBILITY,
  boardBasis: 'HB',
  starRating: '4',
  refine: {},
  sortBy: 'price-asc',
  perPage: 5,
  page: 3,
};

const place = fc.string({ unit: 'grapheme', maxLength: 60 }).map((text) => text.trim());
const name = place.filter((text) => !text.includes('|'));
const anySearch: fc.Arbitrary<HolidaySearch> = fc.record({
  destination: fc.option(fc.tuple(place, place, place).filter((names) => names.some((name) => name !== ''))),
  departureAirport: fc.constantFrom(null, GATWICK, LONDON),
  date: fc.option(fc.integer({ min: 0, max: 40_000 }).map(fromDayNumber)),
  duration: fc.constantFrom(...DURATIONS),
  party: fc.record({
    adults: fc.integer({ min: 1, max: 20 }),
    children: fc.integer({ min: 0, max: 20 }),
    infants: fc.integer({ min: 0, max: 20 }),
  }),
  flexibility: fc.record({
    days: fc.constantFrom(0, ...FLEXIBLE_DAYS),
    maxNights: fc.constantFrom(null, ...DURATIONS),
    places: fc.array(
      fc.tuple(name, name, name).filter((names) => names.some((each) => each !== '')),
      { maxLength: 6 },
    ),
  }),
  boardBasis: fc.constantFrom('', ...Object.keys(BOARD_BASIS)),
  starRating: fc.constantFrom('', '1', '2', '3', '4', '5'),
  refine: fc.constantFrom<Refine>(
    {},
    { boards: ['AI', 'HB'], bags: ['1'] },
    { price: ['300-900'], airlines: ['Air & Söhne, Ltd'], hotel: ['Mira=mar?'] },
  ),
  sortBy: fc.constantFrom(...SORT_OPTIONS.map(({ value }) => value)),
  perPage: fc.constantFrom(...PAGE_SIZES),
  page: fc.integer({ min: 1, max: 5_000 }),
});

describe('toSearchUrl', () => {
  it('has readable parameters', () => {
    expect(toSearchUrl(SEARCH)).toBe(
      '/results?country=Spain&region=Costa+Blanca&from=region:LON&date=2027-05-01&nights=7&board=HB&stars=4&sort=price-asc&size=5&page=3',
    );
  });

  it('names further places, days either side and a range of nights', () => {
    const flexibility = { days: 3, maxNights: 10, places: [['Spain', 'Ibiza', ''] as const] };
    expect(toSearchUrl({ ...SEARCH, flexibility })).toContain(
      'from=region:LON&or=Spain%7CIbiza%7C&date=2027-05-01&flex=3&nights=7-10&board',
    );
  });

  it('names the numbers of travellers that differ from two adults', () => {
    const parametersOf = (adults: number, children: number, infants: number) =>
      toSearchUrl({ ...SEARCH, party: { adults, children, infants } }).match(
        /(?<=nights=7).*(?=&board)/,
      )?.[0];
    expect(parametersOf(2, 0, 0)).toBe('');
    expect(parametersOf(1, 0, 0)).toBe('&adults=1');
    expect(parametersOf(2, 2, 1)).toBe('&children=2&infants=1');
  });

  it('reports invalid numbers of travellers, and uses the defaults', () => {
    const { party, unread } = parseSearchUrl('?adults=0&children=two&infants=99');
    expect(party).toEqual(DEFAULT_PARTY);
    expect(unread).toEqual([
      { part: 'adults', text: '0' },
      { part: 'children', text: 'two' },
      { part: 'infants', text: '99' },
    ]);
  });

  it('parses back to the original search', () => {
    fc.assert(
      fc.property(anySearch, (search) => {
        const { departureAirport, ...rest } = search;
        const from = departureAirport && airportSelectionKey(departureAirport);
        const query = toSearchUrl(search).slice('/results'.length);
        const { maxNights } = rest.flexibility;
        const flexibility = {
          ...rest.flexibility,
          maxNights: maxNights !== null && maxNights > rest.duration ? maxNights : null,
        };
        expect(parseSearchUrl(query)).toEqual({ ...rest, flexibility, from, unread: [] });
      }),
    );
  });
});

describe('parseSearchUrl', () => {
  const nothing = {
    destination: null,
    from: null,
    date: null,
    duration: null,
    party: DEFAULT_PARTY,
    flexibility: NO_FLEXIBILITY,
    boardBasis: '',
    starRating: '',
    refine: {},
    sortBy: 'default',
    perPage: 10,
    page: 1,
    unread: [],
  };

  it.each(['', '?', '?&&&', '?colour=blue', '?country=&from=&date=&nights=', '?country=%20'])(
    'finds nothing in %j',
    (query) => {
      expect(parseSearchUrl(query)).toEqual(nothing);
    },
  );

  it.each([
    ['?date=2027-02-30', {}, 'date', '2027-02-30'],
    ['?date=tomorrow&nights=7', { duration: 7 }, 'date', 'tomorrow'],
    ['?nights=8', {}, 'nights', '8'],
    ['?nights=-7', {}, 'nights', '-7'],
    ['?nights=10-7', {}, 'nights', '10-7'],
    ['?nights=7-9', {}, 'nights', '7-9'],
    ['?nights=7-10-14', {}, 'nights', '7-10-14'],
    ['?flex=30', {}, 'flex', '30'],
    ['?board=XX', {}, 'board', 'XX'],
    ['?stars=9&board=hb', { boardBasis: 'HB' }, 'stars', '9'],
    ['?stars=many', {}, 'stars', 'many'],
    ['?stars=4.5', { starRating: '4' }, 'stars', '4.5'],
    ['?stars=4 stars', { starRating: '4' }, 'stars', '4 stars'],
    ['?sort=cheapest', {}, 'sort', 'cheapest'],
    ['?size=7&page=2', { page: 2 }, 'size', '7'],
    ['?page=0', {}, 'page', '0'],
    ['?page=1e99', {}, 'page', '1e99'],
    ['?page=2.5&size=2', { perPage: 2 }, 'page', '2.5'],
  ])('keeps the valid parts of %s, and reports the other', (query, kept, part, text) => {
    expect(parseSearchUrl(query)).toEqual({ ...nothing, ...kept, unread: [{ part, text }] });
  });

  it.each([
    ['&amp;', ''],
    ['&AMP;amp;', '.'],
    ['&amp%3B', '%22%29,'],
    ['&%2338;', '%20'],
    ['&', '%E2%80%9D.'],
  ])('reads a link with %j between its parameters and %j after it', (between, after) => {
    const parts = ['country=Spain', 'region=Majorca', 'from=LGW', 'date=2027-05-01', 'nights=10'];
    expect(parseSearchUrl(`?${parts.join(between)}${after}`)).toMatchObject({
      destination: ['Spain', 'Majorca', ''],
      from: 'LGW',
      date: '2027-05-01',
      duration: 10,
      unread: [],
    });
  });

  it('reports every invalid part', () => {
    const { unread } = parseSearchUrl('?page=x&stars=0&nights=3&date=1&size=&from=LGW');
    expect(unread.map(({ part }) => part)).toEqual(['date', 'nights', 'stars', 'page']);
  });

  it.each(['4', '4.0', ' 4 '])('accepts %j stars', (stars) => {
    const query = new URLSearchParams({ stars }).toString();
    expect(parseSearchUrl(query)).toEqual({ ...nothing, starRating: '4' });
  });

  it('uses the first of repeated parameters', () => {
    expect(parseSearchUrl('?country=Spain&country=Greece').destination).toEqual(['Spain', '', '']);
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (query) => {
        expect(parseSearchUrl(query).page).toBeGreaterThan(0);
      }),
    );
  });
});

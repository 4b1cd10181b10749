import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PackageHoliday } from '../../domain/package-holiday.ts';
import { type Refine, type RefineKey, withRefine } from '../../domain/refinements.ts';
import { packages } from '../../tests/fixtures/page-search.ts';
import { countFacets, filterPackages } from './facets.ts';

const [HOLIDAY] = packages(1) as [PackageHoliday];

interface Traits {
  price?: number;
  stars?: number | null;
  rating?: number | null;
  out?: string;
  back?: string;
  airport?: string;
  airline?: string;
  board?: string;
  brand?: string;
  bags?: number | null;
  freeChild?: boolean;
  name?: string;
}

function holiday(traits: Traits): PackageHoliday {
  const { price = 700, stars = 4, rating = 8.4, out = '07:05', back = '23:10' } = traits;
  const {
    airport = 'LGW',
    airline = 'Seaward Air',
    board = 'HB',
    brand = 'SEA',
    name = 'Hotel Miramar',
  } = traits;
  const at = (time: string) => (time === '' ? '' : `2027-05-01T${time}:00+01:00`);
  const { HotelDetails, FlightDetails, PriceDetails } = HOLIDAY;
  return {
    ...HOLIDAY,
    Brand: brand,
    BoardBasis: board,
    Bags: traits.bags ?? null,
    FreeChild: traits.freeChild ?? false,
    HotelDetails: { ...HotelDetails, HotelName: name, StarRating: stars, ConsumerRating: rating },
    FlightDetails: {
      Outbound: {
        ...FlightDetails.Outbound,
        DepartureAirportCode: airport,
        AirlineName: airline,
        DepartureDateTime: at(out),
      },
      Inbound: { ...FlightDetails.Inbound, DepartureDateTime: at(back) },
    },
    PriceDetails: { ...PriceDetails, TotalPrice: price },
  };
}

test.each<[Refine, Traits, Traits]>([
  [{ price: ['300-900'] }, { price: 900 }, { price: 901 }],
  [{ boards: ['AI', 'HB'] }, { board: 'AI' }, { board: 'RO' }],
  [{ minstars: ['3.5'] }, { stars: 3.5 }, { stars: null }],
  [{ rating: ['8'] }, { rating: 83 }, { rating: 7.9 }],
  [{ rating: ['8'] }, { rating: 8 }, { rating: null }],
  [{ out: ['06:00-11:59'] }, { out: '06:00' }, { out: '12:00' }],
  [{ back: ['22:00-05:59'] }, { back: '00:10' }, { back: '' }],
  [{ airports: ['LTN'] }, { airport: 'LTN' }, { airport: 'LGW' }],
  [{ airlines: ['Air, Ltd'] }, { airline: 'Air, Ltd' }, { airline: 'Air' }],
  [{ providers: ['SEA'] }, { brand: 'SEA' }, { brand: 'SUN' }],
  [{ bags: ['1'] }, { bags: 2 }, { bags: 0 }],
  [{ freechild: ['1'] }, { freeChild: true }, { freeChild: false }],
  [{ hotel: ['málaga'] }, { name: 'Gran MALAGA Palace' }, { name: 'Miramar' }],
  [
    { bags: ['1'], boards: ['AI'] },
    { bags: 1, board: 'AI' },
    { bags: 1, board: 'HB' },
  ],
])('%j lets %j pass, and not %j', (refine, passing, failing) => {
  const passes = holiday(passing);
  expect(filterPackages([passes, holiday(failing)], refine)).toEqual([passes]);
});

test('counts for each option what would be found with it in place of the filter’s own values', () => {
  const someHolidays = fc.array(
    fc
      .record({
        price: fc.integer({ min: 300, max: 2_000 }),
        stars: fc.constantFrom(null, 3, 3.5, 5),
        board: fc.constantFrom('AI', 'HB', 'RO'),
        bags: fc.constantFrom(null, 0, 1),
        out: fc.constantFrom('', '05:10', '09:00', '23:00'),
      })
      .map(holiday),
    { maxLength: 20 },
  );
  const someRefine = fc.constantFrom<Refine>(
    {},
    { boards: ['AI'] },
    { boards: ['AI', 'RO'], minstars: ['3.5'] },
    { price: ['400-900'], bags: ['1'] },
  );
  fc.assert(
    fc.property(someHolidays, someRefine, (all, refine) => {
      const facets = countFacets(all, refine);
      const found = (key: RefineKey, value: string) =>
        filterPackages(all, { ...refine, [key]: [value] }).length;
      for (const { value, count } of facets.boards) expect(count).toBe(found('boards', value));
      for (const { from, count } of facets.stars) expect(count).toBe(found('minstars', String(from)));
      for (const { from, to, count } of facets.outboundTimes)
        expect(count).toBe(found('out', `${from}-${to}`));
      expect(facets.bags).toBe(found('bags', '1'));
      const priced = facets.prices.reduce((sum, { count }) => sum + count, 0);
      expect(priced).toBe(filterPackages(all, withRefine(refine, 'price', [])).length);
    }),
  );
});

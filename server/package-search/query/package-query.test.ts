import { describe, expect, it, vi } from 'vitest';
import { dayNumber } from '../../../domain/calendar-date.ts';
import { NOW, REFERENCE } from '../../../tests/fixtures/small-inventory.ts';
import { wholeCatalogue } from '../../../tests/fixtures/whole-catalogue.ts';
import type { Catalogue } from '../../inventory/catalogue.ts';
import { cheapestDates } from '../fields/cheapest-dates.ts';
import { sharedPlaces, toOfferFilters } from './package-query.ts';
import type { PackageRepository, QueriesFor } from './package-repository.ts';
import { parseArguments } from './search-request.ts';

const FILTERS = {
  brand: 'SKY',
  startDate: '2027-05-03',
  endDate: '2027-05-10',
  departureAirports: ['LGW'],
  numberOfAdults: 2,
  numberOfChildren: 0,
  numberOfInfants: 0,
  duration: 7,
  country: '',
  region: '',
  resort: '',
  boardBasis: '',
  starRating: null,
  maxDuration: null,
  lastDeparture: null,
  places: [] as { country: string; region: string; resort: string }[],
};

const place = (names: object) => ({ country: '', region: '', resort: '', ...names });

/** `Islands` is a region of both countries, and `Old Town` a resort of both of these. */
const placesIn = (catalogue: Catalogue, names: Partial<typeof FILTERS>) => {
  const found = toOfferFilters({ ...FILTERS, ...names }, catalogue, { brandCode: 'SKY', nowMs: NOW });
  if (found === null) return null;
  const { countries, regions, resorts, places } = found;
  return places ?? [countries, regions, resorts];
};

describe('The places of names', () => {
  it.each([
    ['no name', {}, [null, null, null]],
    ['a country', { country: 'Greece' }, [[2], null, null]],
    ['a region', { region: 'Costa Blanca' }, [[1], [1], null]],
    [
      'a region of several countries',
      { region: 'Islands' },
      sharedPlaces([
        [1, 2],
        [2, 3],
      ]),
    ],
    ['one of its countries', { country: 'Greece', region: 'Islands' }, [[2], [3], null]],
    ['a resort', { resort: 'Palma' }, [[1], [2], [3]]],
    [
      'a resort of several regions',
      { region: ' islands', resort: 'OLD TOWN' },
      sharedPlaces([
        [1, 2, 2],
        [2, 3, 4],
      ]),
    ],
    ['one of its countries', { country: 'Spain', resort: 'Old Town' }, [[1], [2], [2]]],
    ['a resort of another region', { region: 'Costa Blanca', resort: 'Palma' }, null],
    ['a region of another country', { country: 'Greece', region: 'Costa Blanca' }, null],
    [
      'several regions',
      { places: [place({ region: 'Costa Blanca' }), place({ country: 'Greece', region: 'Islands' })] },
      sharedPlaces([
        [1, 1],
        [2, 3],
      ]),
    ],
    [
      'a country and a region, by the regions of both',
      { places: [place({ country: 'Spain' }), place({ country: 'Greece', region: 'Islands' })] },
      sharedPlaces([
        [1, 1],
        [1, 2],
        [2, 3],
      ]),
    ],
    [
      'a country and a resort, by the resorts of both',
      { places: [place({ country: 'Greece' }), place({ resort: 'Palma' })] },
      sharedPlaces([
        [2, 3, 4],
        [1, 2, 3],
      ]),
    ],
    [
      'two names of which one is unknown',
      { places: [place({ country: 'Atlantis' }), place({ resort: 'Palma' })] },
      [[1], [2], [3]],
    ],
    ['two unknown names', { places: [place({ country: 'Atlantis' }), place({ resort: 'Atlantis' })] }, null],
    ['an unknown country', { country: 'Atlantis', resort: 'Palma' }, null],
  ])('%s', (_what, names, places) => {
    expect(placesIn(wholeCatalogue(REFERENCE), names)).toEqual(places);
  });
});

it.each<[string, object, Record<string, unknown>]>([
  ['an exact trip', {}, { firstDay: 0, lastDay: 0, nights: [7] }],
  [
    'a range of nights',
    { maxDuration: 9, endDate: '2027-05-12' },
    { firstDay: 0, lastDay: 2, nights: [7, 8, 9] },
  ],
  [
    'a range of nights from one day',
    { maxDuration: 9, endDate: '2027-05-12', lastDeparture: '2027-05-03' },
    { firstDay: 0, lastDay: 0, nights: [7, 8, 9] },
  ],
  ['nights up to a number', { duration: null, maxDuration: 2 }, { firstDay: 0, lastDay: 6, nights: [1, 2] }],
])('%s has its days and nights', (_what, changes, { firstDay, lastDay, ...expected }) => {
  const day = dayNumber(FILTERS.startDate);
  const filters = { ...FILTERS, ...changes };
  const found = toOfferFilters(filters, wholeCatalogue(REFERENCE), { brandCode: 'SKY', nowMs: NOW });
  expect(found).toMatchObject({
    ...expected,
    firstDay: day + Number(firstDay),
    lastDay: day + Number(lastDay),
  });
});

it('the names of all days around a date are looked up once', async () => {
  const catalogue = { ...wholeCatalogue(REFERENCE), version: '1' };
  const resortsNamed = vi.spyOn(catalogue, 'resortsNamed');
  const search = vi.fn(async (queriesFor: QueriesFor) => {
    const queries = queriesFor(catalogue as unknown as Parameters<QueriesFor>[0]);
    expect(queries.map(({ firstDay, lastDay }) => lastDay - firstDay)).toEqual(Array(7).fill(0));
    return { pages: [], catalogue: catalogue as never };
  });
  const repository = { search } as unknown as PackageRepository;
  const dates = cheapestDates({ repository, brandCode: 'SKY', now: () => NOW });
  const answer = await dates(parseArguments('cheapestDates', { filters: { ...FILTERS, resort: 'Palma' } }));
  expect(answer).toEqual({ kind: 'dates', dates: [] });
  expect(resortsNamed).toHaveBeenCalledTimes(1);
});

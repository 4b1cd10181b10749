import { describe, expect, it, vi } from 'vitest';
import { NOW, REFERENCE } from '../../tests/fixtures/small-inventory.ts';
import { type Catalogue, wholeCatalogue } from '../inventory/catalogue.ts';
import { cheapestDates } from './cheapest-dates.ts';
import { toOfferFilters } from './package-query.ts';
import type { PackageRepository, QueriesFor } from './package-repository.ts';
import { sharedPlaces } from './shared-places.ts';

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
};

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
    ['an unknown country', { country: 'Atlantis', resort: 'Palma' }, null],
  ])('%s', (_what, names, places) => {
    expect(placesIn(wholeCatalogue(REFERENCE), names)).toEqual(places);
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
  const answer = await dates({ filters: { ...FILTERS, resort: 'Palma' } });
  expect(answer).toEqual({ kind: 'dates', dates: [] });
  expect(resortsNamed).toHaveBeenCalledTimes(1);
});

import { describe, expect, it } from 'vitest';
import { GATWICK, LONDON, LUTON, SEARCH } from '../../tests/fixtures/page-search.ts';
import { openAddress } from './open-address.ts';
import { parseSearchAddress, toSearchAddress } from './search-address.ts';

const TODAY = '2027-01-31';
const AIRPORTS = [LONDON, GATWICK, LUTON];
const SPAIN = { label: 'Spain (any region/any resort)', tuple: ['Spain', '', ''] };

function open(query: string) {
  return openAddress(parseSearchAddress(query), AIRPORTS, TODAY);
}

describe('opening an address', () => {
  it('gives the search that it was made from, and fills the form with it', () => {
    const search = { ...SEARCH, departureAirport: LONDON, sortBy: 'stars-asc' as const, page: 2 };
    const opened = open(toSearchAddress(search).slice('/results'.length));
    expect(opened.search).toEqual(search);
    expect(opened.form).toEqual({
      destination: { label: 'Benidorm, Costa Blanca, Spain', tuple: search.destination },
      departureAirport: LONDON,
      date: '2027-05-01',
      duration: 7,
    });
  });

  it("takes the data layer's date and nights where it says none, and shows that date", () => {
    const { search, form } = open('?country=Spain&from=LTN');
    expect(search).toMatchObject({ departureAirport: LUTON, date: '2027-02-28', duration: 7 });
    expect(form).toEqual({ destination: SPAIN, departureAirport: LUTON, date: '2027-02-28' });
  });

  it('says nothing to the form where it says nothing', () => {
    expect(open('').form).toEqual({});
  });

  it.each([
    [
      'an airport that is not listed',
      '?country=Spain&from=XXX&date=2027-05-01',
      { destination: SPAIN, date: '2027-05-01' },
    ],
    [
      'a day that has passed',
      '?country=Spain&from=LGW&date=2027-01-31',
      { destination: SPAIN, departureAirport: GATWICK },
    ],
    [
      'a day too far ahead',
      '?country=Spain&from=LGW&date=2028-08-01',
      { destination: SPAIN, departureAirport: GATWICK },
    ],
    [
      'nights that are not offered',
      '?country=Spain&from=LGW&nights=5',
      { destination: SPAIN, departureAirport: GATWICK },
    ],
  ])('searches for nothing with %s, and keeps the rest in the form', (_, query, form) => {
    const opened = open(query);
    expect(opened.search).toMatchObject({ destination: null, departureAirport: null, date: null });
    expect(opened.form).toEqual(form);
  });
});

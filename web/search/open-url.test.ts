import { describe, expect, it } from 'vitest';
import { parseDestinations } from '../../domain/destination.ts';
import { type DestinationIndex, indexDestinations } from '../../domain/destination-index.ts';
import { NO_FLEXIBILITY } from '../../domain/flexibility.ts';
import { DEFAULT_PARTY, type Party } from '../../domain/party.ts';
import { GATWICK, LONDON, LUTON, SEARCH } from '../../tests/fixtures/page-search.ts';
import { openUrl, preventsSearch } from './open-url.ts';
import { parseSearchUrl, toSearchUrl } from './search-url.ts';

const TODAY = '2027-01-31';
const AIRPORTS = [LONDON, GATWICK, LUTON];
const SPAIN = { label: 'Spain (any region/any resort)', tuple: ['Spain', '', ''] };

const DESTINATIONS = indexDestinations(
  parseDestinations('country,region,resort\nSpain,Costa Blanca,Benidorm\nMalta,,Sliema'),
);

function open(
  query: string,
  destinations: DestinationIndex | null = DESTINATIONS,
  parties: readonly Party[] = [],
  facets = true,
) {
  return openUrl(parseSearchUrl(query), { airports: AIRPORTS, destinations, parties, facets }, TODAY);
}

describe('the party of a URL', () => {
  const SOLO = { adults: 1, children: 0, infants: 0 };
  const FAMILY = { adults: 2, children: 1, infants: 0 };
  const place = '?country=Spain&from=LGW';

  it('is searched for and shown if packages are sold to it', () => {
    const { search, form, unread } = open(`${place}&children=1`, DESTINATIONS, [SOLO, FAMILY]);
    expect([search.party, form.party, unread]).toEqual([FAMILY, FAMILY, []]);
  });

  it('is two adults by default, also in the form', () => {
    const { search, form, unread } = open(place, DESTINATIONS, [SOLO]);
    expect([search.party, form.party, unread]).toEqual([DEFAULT_PARTY, DEFAULT_PARTY, []]);
  });

  it.each([
    ['a party that packages are not sold to', [SOLO, FAMILY], FAMILY],
    ['any other party, if the server lists no parties', [], DEFAULT_PARTY],
  ])('is the nearest on sale instead of %s, which the message names', (_what, parties, nearest) => {
    const { search, form, unread } = open(`${place}&adults=3&children=1`, DESTINATIONS, parties);
    expect([search.party, form.party]).toEqual([nearest, nearest]);
    expect(unread).toEqual([{ part: 'party', text: '3 adults, 1 child' }]);
    expect(preventsSearch(unread)).toBe(false);
  });

  it('stays in the form if nothing is searched for', () => {
    expect(open('', DESTINATIONS, [SOLO]).form).toEqual({});
  });
});

describe('the further filters of a URL', () => {
  const query = '?country=Spain&from=LGW&bags=1&price=0-900&board=AI';

  it('are applied by a server that offers them', () => {
    const { search, unread } = open(query);
    expect([search.refine, unread]).toEqual([{ bags: ['1'], price: ['0-900'] }, []]);
  });

  it('are left out, with a note, for any other server; the specified ones stay', () => {
    const { search, unread } = open(query, DESTINATIONS, [], false);
    expect([search.refine, search.boardBasis, unread]).toEqual([{}, 'AI', [{ part: 'filters', text: '' }]]);
    expect(preventsSearch(unread)).toBe(false);
  });
});

describe('openUrl', () => {
  it('returns the original search, and fills in the form', () => {
    const search = { ...SEARCH, departureAirport: LONDON, sortBy: 'stars-asc' as const, page: 2 };
    const opened = open(toSearchUrl(search).slice('/results'.length));
    expect(opened).toEqual({
      search,
      unread: [],
      form: {
        destination: { label: 'Benidorm, Costa Blanca, Spain', tuple: search.destination },
        departureAirport: LONDON,
        date: '2027-05-01',
        duration: 7,
        party: DEFAULT_PARTY,
        flexibility: NO_FLEXIBILITY,
      },
    });
  });

  // @proves 3.1, 9.2
  it('uses the default date and nights if they are missing, and shows them in the form', () => {
    const { search, form } = open('?country=Spain&from=LTN');
    expect(search).toMatchObject({ departureAirport: LUTON, date: '2027-02-28', duration: 7 });
    expect(form).toEqual({
      destination: SPAIN,
      departureAirport: LUTON,
      date: '2027-02-28',
      duration: 7,
      party: DEFAULT_PARTY,
      flexibility: NO_FLEXIBILITY,
    });
  });

  it('leaves the form unchanged for an empty URL', () => {
    expect(open('')).toMatchObject({ form: {}, unread: [] });
  });

  it("uses the list's spelling of a place", () => {
    expect(open('?country=SPAIN&region=costa+blanca&from=LGW').search.destination).toEqual([
      'Spain',
      'Costa Blanca',
      '',
    ]);
  });

  it('accepts any place without a list', () => {
    const opened = open('?country=Atlantis&from=LGW', null);
    expect(opened).toMatchObject({ search: { destination: ['Atlantis', '', ''] }, unread: [] });
  });
});

describe('a URL that cannot be searched for', () => {
  it.each([
    [
      'an airport that is not listed',
      '?country=Spain&from=XXX&date=2027-05-01',
      { part: 'from', text: 'XXX' },
      { destination: SPAIN, departureAirport: null, date: '2027-05-01' },
    ],
    [
      'a place that is not listed',
      '?country=Greece&resort=Atlantis&from=LGW&nights=10',
      { part: 'place', text: 'Atlantis, Greece' },
      { destination: null, departureAirport: GATWICK, duration: 10 },
    ],
    [
      'a day that has passed',
      '?country=Spain&from=LGW&date=2027-01-30',
      { part: 'date', text: '2027-01-30' },
      { destination: SPAIN, departureAirport: GATWICK, date: null },
    ],
    [
      'today',
      `?country=Spain&from=LGW&date=${TODAY}`,
      { part: 'date', text: TODAY },
      { destination: SPAIN, departureAirport: GATWICK, date: null },
    ],
    [
      'a day too far ahead',
      '?country=Spain&from=LGW&date=2028-08-01',
      { part: 'date', text: '2028-08-01' },
      { destination: SPAIN, departureAirport: GATWICK, date: null },
    ],
    [
      'no day at all',
      '?country=Spain&from=LGW&date=soon',
      { part: 'date', text: 'soon' },
      { destination: SPAIN, departureAirport: GATWICK, date: null },
    ],
  ])('prevents the search for %s, names it, and leaves its field empty', (_, query, unread, form) => {
    const opened = open(query);
    expect(opened.unread).toEqual([unread]);
    expect(preventsSearch(opened.unread)).toBe(true);
    expect(opened.form).toEqual(form);
  });

  it('names all invalid parts in the order of the form', () => {
    const opened = open('?country=Atlantis&from=XXX&date=2020-01-01&nights=5&stars=4.5&sort=x');
    expect(opened.unread.map(({ part }) => part)).toEqual([
      'place',
      'from',
      'date',
      'nights',
      'stars',
      'sort',
    ]);
    expect(opened.search).toMatchObject({ destination: null, departureAirport: null, date: null });
    expect(opened.form).toEqual({ destination: null, departureAirport: null, date: null, duration: 7 });
  });
});

describe('a URL with an invalid part that has a default', () => {
  it.each([
    ['?country=Spain&from=LGW&date=2027-05-01&nights=5', { duration: 7 }],
    ['?country=Spain&from=LGW&date=2027-05-01&stars=4.5', { starRating: '4' }],
    ['?country=Spain&from=LGW&date=2027-05-01&stars=9', { starRating: '' }],
    ['?country=Spain&from=LGW&date=2027-05-01&board=XX&page=0', { boardBasis: '', page: 1 }],
  ])('is searched with the default: %s', (query, taken) => {
    const opened = open(query);
    expect(opened.search).toMatchObject({ destination: SPAIN.tuple, date: '2027-05-01', ...taken });
    expect(opened.unread).not.toEqual([]);
    expect(preventsSearch(opened.unread)).toBe(false);
  });
});

describe('a flexible search in a URL', () => {
  const FLEXIBLE =
    '?country=Spain&or=Malta&or=spain%7CCosta+Blanca&from=LGW&date=2027-05-01&flex=3&nights=7-10';
  const flexibility = {
    days: 3,
    maxNights: 10,
    places: [
      ['Malta', '', ''],
      ['Spain', 'Costa Blanca', ''],
    ],
  };

  it('is searched, and shown in the form', () => {
    const { search, form, unread } = open(FLEXIBLE);
    expect(unread).toEqual([]);
    expect(search).toMatchObject({ duration: 7, flexibility });
    expect(form).toMatchObject({ duration: 7, flexibility });
  });

  it('is exact, with a note, for a server that takes no flexible searches', () => {
    const { search, unread } = open(FLEXIBLE, DESTINATIONS, [], false);
    expect(search.flexibility).toEqual(NO_FLEXIBILITY);
    expect(unread).toEqual([{ part: 'exact', text: '' }]);
    expect(preventsSearch(unread)).toBe(false);
  });

  it('is not searched if one of its places is not listed', () => {
    const { unread } = open(`${FLEXIBLE}&or=Atlantis`);
    expect(unread).toEqual([{ part: 'place', text: 'Atlantis' }]);
    expect(preventsSearch(unread)).toBe(true);
  });
});

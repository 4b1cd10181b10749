import { describe, expect, it } from 'vitest';
import { NO_FLEXIBILITY } from '../../domain/flexibility.ts';
import { DEFAULT_PARTY } from '../../domain/party.ts';
import type { SearchTrip } from '../search/search-url.ts';
import { otherTrips, placeOffers } from './other-trips.ts';

const DATE = '2027-05-15';
const LGW = { id: 'LGW', name: 'Gatwick', code: 'LGW', isRegion: false };
const LONDON = {
  id: 'region:LON',
  name: 'London',
  code: 'LON',
  isRegion: true,
  childAirports: [LGW],
  order: 0,
};
const MAN = { ...LGW, id: 'MAN', name: 'Manchester', code: 'MAN' };

function trip(changes: Partial<SearchTrip> = {}): SearchTrip {
  return {
    destination: ['Spain', 'Majorca', 'Alcudia'],
    departureAirport: LGW,
    date: DATE,
    duration: 7,
    party: DEFAULT_PARTY,
    flexibility: NO_FLEXIBILITY,
    ...changes,
  };
}

function region(country: string, name: string, total: number, date = DATE) {
  const lowest = { date, nights: 7, total };
  return { country, region: name, position: null, lowest, months: [lowest] };
}

const MAJORCA = region('Spain', 'Majorca', 70_000);
const MENORCA = region('Spain', 'Menorca', 60_000, '2027-05-16');
const CRETE = region('Greece', 'Crete', 50_000);

describe('placeOffers', () => {
  const wordsOf = (regions: Parameters<typeof placeOffers>[0], destination: SearchTrip['destination']) =>
    placeOffers(regions, trip({ destination }), DATE).map(({ words, price }) => `${words}: ${price / 100}`);

  it.each([
    [
      'a resort: its region, its country and other regions there',
      ['Spain', 'Majorca', 'Alcudia'],
      ['Anywhere in Majorca: 700', 'Anywhere in Spain, Sun 16 May: 600', 'Menorca, Spain, Sun 16 May: 600'],
    ],
    [
      'a region: its country and other regions there',
      ['Spain', 'Ibiza', ''],
      ['Anywhere in Spain, Sun 16 May: 600', 'Majorca, Spain: 700', 'Menorca, Spain, Sun 16 May: 600'],
    ],
    [
      'a country without packages: regions anywhere',
      ['Malta', '', ''],
      ['Majorca, Spain: 700', 'Menorca, Spain, Sun 16 May: 600', 'Crete, Greece: 500'],
    ],
  ] as const)('offers around %s', (_what, destination, offers) => {
    expect(wordsOf([MAJORCA, MENORCA, CRETE], destination)).toEqual(offers);
  });

  it('offers other countries if the region is the only one of its country', () => {
    expect(wordsOf([MAJORCA, CRETE], ['Spain', 'Majorca', 'Alcudia'])).toEqual([
      'Anywhere in Majorca: 700',
      'Crete, Greece: 500',
    ]);
  });
});

it('changes to airports, nights and travellers that the search does not have', () => {
  const family = { adults: 2, children: 2, infants: 0 };
  const search = trip({
    departureAirport: LONDON,
    party: family,
    flexibility: { ...NO_FLEXIBILITY, maxNights: 10 },
  });
  const trips = otherTrips(search, [LONDON, LGW, MAN], [family, { adults: 1, children: 0, infants: 0 }]);
  expect(trips.map(({ kind, words }) => [kind, words])).toEqual([
    ['Nearest days', ''],
    ['Other airports', 'Manchester'],
    ['Other nights', '4 nights'],
    ['Other nights', '14 nights'],
    ['Fewer travellers', '2 adults'],
    ['Fewer travellers', '1 adult'],
  ]);
});

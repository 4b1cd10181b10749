import { describe, expect, it } from 'vitest';
import { DEFAULT_PARTY } from '../../domain/party.ts';
import { mergeRegions } from '../search/place-prices.ts';
import type { ExploreState } from '../search/use-explore-prices.ts';
import { exploreView } from './explore-view.ts';
import type { ChosenExplore } from './use-explore-choice.ts';

const CHOICE: ChosenExplore = {
  from: 'LGW',
  airport: { id: 'LGW', name: 'Gatwick', code: 'LGW', isRegion: false },
  when: '2027-02',
  nights: null,
  maxPounds: null,
  party: DEFAULT_PARTY,
  country: null,
  notes: [],
};

const region = (country: string, name: string, pounds: number) => ({
  country,
  region: name,
  position: null,
  months: [{ date: '2027-02-06', nights: 7, total: pounds * 100 }],
});

const PRICES: ExploreState = {
  kind: 'regions',
  regions: mergeRegions([
    [region('Spain', 'Majorca', 624), region('Spain', 'Ibiza', 700), region('Malta', 'Gozo', 800)],
  ]),
};

const view = (changes: Partial<ChosenExplore> = {}, prices: ExploreState = PRICES) =>
  exploreView({ ...CHOICE, ...changes }, prices, false);

describe('exploreView', () => {
  it('asks for an airport first, and waits for the list of airports', () => {
    expect(view({ airport: null })).toEqual({ kind: 'unasked' });
    expect(exploreView({ ...CHOICE, airport: null }, PRICES, true)).toEqual({ kind: 'loading' });
  });

  it.each(['loading', 'failed', 'too wide'] as const)('shows that the prices are %s', (kind) => {
    expect(view({}, { kind })).toEqual({ kind });
  });

  it('shows the countries and the lowest total price', () => {
    expect(view()).toMatchObject({
      kind: 'countries',
      words: '2 countries from £624 for 2 adults, with charges at the hotel',
      places: [
        { country: 'Spain', regions: [{ region: 'Majorca' }, { region: 'Ibiza' }] },
        { country: 'Malta' },
      ],
    });
  });

  it('shows the regions of a country, ignoring case', () => {
    expect(view({ country: 'spain' })).toMatchObject({
      kind: 'regions',
      words: 'Spain: 2 regions from £624 for 2 adults, with charges at the hotel',
    });
  });

  it('compares the total price with the highest price that the visitor chose', () => {
    expect(view({ maxPounds: 624 })).toMatchObject({
      places: [{ country: 'Spain', regions: [{ region: 'Majorca' }] }],
    });
    expect(view({ maxPounds: 623 }).kind).toBe('nothing');
    const four = { adults: 4, children: 0, infants: 0 };
    expect(view({ maxPounds: 624, party: four })).toMatchObject({
      words: '1 country from £624 for 4 adults, with charges at the hotel',
    });
  });

  it('names the cheapest place if nothing is cheap enough', () => {
    expect(view({ maxPounds: 200 })).toMatchObject({
      words: 'No holidays from Gatwick for £200 or less. The cheapest is £624, to Spain.',
    });
    expect(view({ maxPounds: 200, country: 'Malta' })).toMatchObject({
      words: 'No holidays to Malta from Gatwick for £200 or less. The cheapest is £800, to Gozo.',
    });
  });

  it('says where and when there are no holidays at any price', () => {
    expect(view({}, { kind: 'regions', regions: [] })).toEqual({
      kind: 'nothing',
      words: 'No holidays from Gatwick in February 2027.',
      cheapest: null,
    });
    expect(view({ country: 'Atlantis', maxPounds: 200 })).toMatchObject({
      words: 'No holidays to Atlantis from Gatwick in February 2027.',
    });
  });
});

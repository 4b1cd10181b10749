import { DEFAULT_PARTY } from '../../domain/party.ts';
import { ExploreForm } from '../../web/explore/ExploreForm.tsx';
import { ExplorePrices } from '../../web/explore/ExploreResults.tsx';
import { type FoundRegion, mergeRegions } from '../../web/explore/place-prices.ts';
import type { ChosenExplore } from '../../web/explore/use-explore-choice.ts';
import type { ExploreState } from '../../web/explore/use-explore-prices.ts';
import { GallerySearch } from './GallerySearch.tsx';
import { AIRPORTS } from './gallery-data.ts';
import type { GalleryState } from './gallery-state.ts';

const CHOICE: ChosenExplore = {
  from: 'LGW',
  airport: AIRPORTS.find(({ code }) => code === 'LGW') ?? null,
  when: 'any',
  nights: null,
  maxPounds: null,
  party: DEFAULT_PARTY,
  country: null,
  notes: [],
};

const PLACES: readonly [
  country: string,
  region: string,
  latitude: number,
  longitude: number,
  pounds: number,
][] = [
  ['Spain', 'Costa Blanca', 38.5, -0.1, 411],
  ['Spain', 'Majorca', 39.6, 2.9, 455],
  ['Spain', 'Tenerife', 28.2, -16.6, 590],
  ['Greece', 'Crete', 35.3, 25.5, 616],
  ['Montenegro', 'Budva Riviera', 42.3, 18.8, 618],
  ['Croatia', 'Dubrovnik Riviera', 42.6, 18.1, 571],
  ['Cyprus', 'Paphos', 34.8, 32.4, 700],
  ['Mexico', 'Riviera Maya', 20.6, -87.1, 1_554],
];

const FOUND: ExploreState = { kind: 'regions', regions: mergeRegions([PLACES.map(foundRegion)]) };

function foundRegion([country, region, latitude, longitude, pounds]: (typeof PLACES)[number]): FoundRegion {
  const months = ['2027-02', '2027-03', '2027-05', '2027-07', '2027-10'].map((month, nth) => ({
    date: `${month}-06`,
    nights: 7,
    total: (pounds + ((nth * 3) % 5) * 40) * 100,
  }));
  return { country, region, position: { latitude, longitude }, months };
}

/** The form of Explore, and its prices in every state. */
export function exploreStates(): GalleryState[] {
  const part = 'Explore';
  const state = (name: string, prices: ExploreState, choice: Partial<ChosenExplore> = {}): GalleryState => ({
    part,
    name,
    height: 900,
    render: () => (
      <GallerySearch state={{}}>
        <main className="page is-explore">
          <ExplorePrices
            choice={{ ...CHOICE, ...choice }}
            prices={prices}
            isWaiting={false}
            onRetry={() => {}}
          />
        </main>
      </GallerySearch>
    ),
  });
  return [
    {
      part,
      name: 'explore-form',
      height: 420,
      render: () => (
        <GallerySearch state={{}}>
          <ExploreForm />
        </GallerySearch>
      ),
    },
    state('explore-unasked', { kind: 'loading' }, { from: null, airport: null }),
    state('explore-loading', { kind: 'loading' }),
    state('explore-failed', { kind: 'failed' }),
    state('explore-too-wide', { kind: 'too wide' }),
    state('explore-nothing', FOUND, { maxPounds: 100 }),
    state('explore-countries', FOUND, {
      notes: ['‘5’ isn’t available; showing 4, 7, 10 and 14 nights.'],
    }),
    state('explore-regions', FOUND, { country: 'Spain', when: '2027-H1' }),
  ];
}

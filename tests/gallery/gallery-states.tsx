import { findAirportSelection } from '../../domain/airport.ts';
import { pageOf } from '../../domain/sort-and-page.ts';
import { AlertModal } from '../../web/alerts/AlertModal.tsx';
import { DecorativeAssistant } from '../../web/brand/DecorativeAssistant.tsx';
import { SiteFooter } from '../../web/brand/SiteFooter.tsx';
import { SiteHeader } from '../../web/brand/SiteHeader.tsx';
import { ErrorPage } from '../../web/ErrorPage.tsx';
import { PriceHistoryModal } from '../../web/price-history/PriceHistoryModal.tsx';
import { RecentSearches } from '../../web/recent-searches/RecentSearches.tsx';
import { Pagination } from '../../web/results/Pagination.tsx';
import { ResultsPage } from '../../web/results/ResultsPage.tsx';
import { resultsCode } from '../../web/results/results-code.ts';
import { saveRecentSearch } from '../../web/search/recent-searches.ts';
import type { SearchState } from '../../web/search/search-state.ts';
import { SearchFailure } from '../../web/search-form/SearchFailure.tsx';
import { packages, resultsFor, SEARCH } from '../fixtures/page-search.ts';
import { leave, press, submitForm, typeInto } from './act.ts';
import { exploreStates } from './explore-states.tsx';
import { GalleryCard } from './GalleryCard.tsx';
import { EMPTY_FORM, GalleryForm } from './GalleryForm.tsx';
import { GallerySearch } from './GallerySearch.tsx';
import { AIRPORTS, ANALYSES, CONFIG, FULLEST_HOLIDAY, holiday, TODAY } from './gallery-data.ts';
import type { GalleryState } from './gallery-state.ts';
import { type SignUpAnswer, stubServer } from './stub-server.ts';

const FILLED_FORM = {
  ...EMPTY_FORM,
  destination: { label: 'Benidorm, Costa Blanca, Spain', tuple: ['Spain', 'Costa Blanca', 'Benidorm'] },
  departureAirport: findAirportSelection(AIRPORTS, 'LGW') ?? null,
  date: SEARCH.date,
} as const;

const REGION = AIRPORTS.find(({ isRegion }) => isRegion) ?? null;
const FAILED_LIST = { status: 'failed', message: 'We couldn’t load the destinations.' } as const;
const FAILED_AIRPORTS = { status: 'failed', message: 'We couldn’t load the departure airports.' } as const;

export const GALLERY_STATES: readonly GalleryState[] = [
  ...brandStates(),
  ...formStates(),
  ...resultsStates(),
  ...cardStates(),
  ...exploreStates(),
  ...paginationStates(),
  ...modalStates(),
  ...failureStates(),
];

function brandStates(): GalleryState[] {
  const part = 'Brand';
  return [
    { part, name: 'header', height: 120, render: () => <SiteHeader config={CONFIG} /> },
    {
      part,
      name: 'header-logo',
      height: 120,
      render: () => <SiteHeader config={{ ...CONFIG, brandLogoUrl: '/assets/channels/phone.svg' }} />,
    },
    { part, name: 'assistant', height: 420, render: () => <DecorativeAssistant /> },
    { part, name: 'footer', height: 220, render: () => <SiteFooter config={CONFIG} /> },
  ];
}

const SOLO = { adults: 1, children: 0, infants: 0 };
const COUPLE = { adults: 2, children: 0, infants: 0 };
const FAMILY = { adults: 2, children: 1, infants: 0 };

function formStates(): GalleryState[] {
  const part = 'Search form';
  const open = (name: string, height: number, act: () => Promise<void>, value = EMPTY_FORM) => ({
    part,
    name,
    height,
    act,
    render: () => <GalleryForm value={value} />,
  });
  return [
    { part, name: 'form-empty', height: 460, render: () => <GalleryForm /> },
    { part, name: 'form-filled', height: 460, render: () => <GalleryForm value={FILLED_FORM} /> },
    {
      part,
      name: 'form-region',
      height: 460,
      render: () => <GalleryForm value={{ ...FILLED_FORM, departureAirport: REGION }} />,
    },
    {
      part,
      name: 'form-travellers',
      height: 460,
      render: () => (
        <GalleryForm value={{ ...FILLED_FORM, party: FAMILY }} parties={[SOLO, COUPLE, FAMILY]} />
      ),
    },
    { part, name: 'form-compact', height: 460, render: () => <GalleryForm value={FILLED_FORM} isCompact /> },
    {
      part,
      name: 'form-searching',
      height: 460,
      render: () => <GalleryForm value={FILLED_FORM} isSearching />,
    },
    {
      part,
      name: 'form-lists-failed',
      height: 500,
      render: () => <GalleryForm destinations={FAILED_LIST} airports={FAILED_AIRPORTS} />,
    },
    {
      ...open('form-lists-pending', 500, () => press('Destination')),
      render: () => <GalleryForm destinations={{ status: 'pending' }} airports={{ status: 'pending' }} />,
    },
    open('destinations', 760, () => typeInto('Destination', 'cos')),
    open('destinations-none', 500, () => typeInto('Destination', 'xyzzyx')),
    open('destination-unresolved', 500, async () => {
      await typeInto('Destination', 'costa');
      await leave('Destination');
    }),
    open('airports', 760, () => press('Departure airport')),
    open('airports-selected', 760, () => press('Departure airport'), {
      ...EMPTY_FORM,
      departureAirport: REGION,
    }),
    open('airport-unresolved', 500, async () => {
      await typeInto('Departure airport', 'nowhere');
      await leave('Departure airport');
    }),
    open('calendar', 680, () => press('When')),
    {
      part,
      name: 'form-failed',
      height: 200,
      render: () => <SearchFailure onRetry={() => {}} onChange={() => {}} />,
    },
    {
      part,
      name: 'recent-searches',
      height: 200,
      prepare: stubRecentSearches,
      render: () => <RecentSearches today={TODAY} />,
    },
  ];
}

function resultsStates(): GalleryState[] {
  const part = 'Results';
  const shows = (name: string, height: number, state: Partial<SearchState>): GalleryState => ({
    part,
    name,
    height,
    prepare() {
      stubServer();
      resultsCode.preload();
    },
    render: () => (
      <GallerySearch state={state}>
        <ResultsPage />
      </GallerySearch>
    ),
  });
  const message = 'API Error: 503 - The store is being moved.';
  const filtered = { ...SEARCH, boardBasis: 'FD' };
  return [
    shows('results-loading', 900, { loading: true }),
    shows('results', 900, { results: resultsFor(SEARCH, 3) }),
    shows('results-more', 900, {
      results: resultsFor(SEARCH, 3, { hasMoreData: true, nextToken: 'next', count: 181 }),
    }),
    shows('results-capped', 900, { results: resultsFor(SEARCH, 3, { count: 181 }) }),
    shows('results-empty', 520, { results: resultsFor(SEARCH, 0) }),
    shows('results-empty-filtered', 620, { results: resultsFor(filtered, 0), boardBasis: 'FD' }),
    shows('results-stopped', 260, {}),
    shows('results-failed', 320, { error: message }),
    shows('results-failed-in-form', 320, { error: message, formFailed: true }),
    shows('results-failed-change', 900, { error: message, results: resultsFor(SEARCH, 3) }),
    shows('results-loading-change', 900, { loading: true, results: resultsFor(SEARCH, 3) }),
    shows('results-unread', 520, {
      unread: [
        { part: 'place', text: 'Atlantis' },
        { part: 'from', text: 'XXX' },
        { part: 'date', text: '2020-01-01' },
        { part: 'nights', text: '5' },
        { part: 'board', text: 'ZZ' },
        { part: 'stars', text: '9' },
        { part: 'sort', text: 'best' },
        { part: 'size', text: '7' },
        { part: 'page', text: '0' },
      ],
    }),
  ];
}

function cardStates(): GalleryState[] {
  const part = 'Holiday card';
  const bare = holiday({
    Brand: '',
    BoardBasis: '',
    EventTime: null,
    AdditionalData: '{}',
    Hotel: JSON.stringify({ HotelName: 'Hotel Brisa' }),
    Flight: '{}',
  });
  return [
    ...Object.entries(ANALYSES).map(([verdict, analysis]) => ({
      part,
      name: `card-${verdict.replaceAll(' ', '-')}`,
      height: 420,
      render: () => <GalleryCard holiday={holiday()} analysis={analysis} />,
    })),
    {
      part,
      name: 'card-fullest',
      height: 620,
      render: () => <GalleryCard holiday={FULLEST_HOLIDAY} analysis={ANALYSES.typical} />,
    },
    { part, name: 'card-unanalysed', height: 420, render: () => <GalleryCard holiday={holiday()} /> },
    {
      part,
      name: 'card-logo',
      height: 420,
      render: () => <GalleryCard holiday={holiday({ Brand: 'SEA' })} />,
    },
    {
      part,
      name: 'card-no-alerts',
      height: 420,
      render: () => <GalleryCard holiday={holiday()} offersAlerts={false} />,
    },
    { part, name: 'card-barest', height: 420, render: () => <GalleryCard holiday={bare} /> },
  ];
}

function paginationStates(): GalleryState[] {
  const shows = (name: string, page: number, hasMore: boolean): GalleryState => ({
    part: 'Pagination',
    name,
    height: 100,
    render: () => <Pagination page={pageOf(packages(25), page, 10)} hasMore={hasMore} onPage={() => {}} />,
  });
  return [
    shows('pagination-first', 1, false),
    shows('pagination-middle', 2, false),
    shows('pagination-last', 3, false),
    shows('pagination-last-with-more', 3, true),
  ];
}

function modalStates(): GalleryState[] {
  const shows = (name: string, act?: () => Promise<void>, answer?: SignUpAnswer): GalleryState => ({
    part: 'Alert modal',
    name,
    height: 620,
    prepare: () => stubServer(answer),
    render: () => (
      <AlertModal
        holiday={holiday()}
        airport="London Gatwick"
        searchUrl="/results"
        ways={{ email: true, webPushKey: null }}
        channel={{ endpoint: '', channelId: '' }}
        brandName={CONFIG.brandName}
        needsYes
        onClose={() => {}}
      />
    ),
    ...(act && { act }),
  });
  const submit = (phone: string) => async () => {
    await typeInto('Your phone number', phone);
    await submitForm();
  };
  return [
    {
      part: 'Alert modal',
      name: 'modal-closed',
      height: 420,
      render: () => <GalleryCard holiday={holiday()} />,
    },
    shows('modal'),
    shows('modal-invalid', submit('12345')),
    shows('modal-submitting', submit('07700 900123'), 'never'),
    shows('modal-failed', submit('07700 900123'), 'failed'),
    shows('modal-submitted', submit('07700 900123'), 'accepted'),
    {
      part: 'Price history',
      name: 'price-history',
      height: 820,
      prepare: () => stubServer(),
      render: () => (
        <PriceHistoryModal holiday={holiday()} service={CONFIG} onLimit={() => {}} onClose={() => {}} />
      ),
    },
  ];
}

function failureStates(): GalleryState[] {
  return [{ part: 'Failures', name: 'application-error', height: 620, render: () => <ErrorPage /> }];
}

/** Stores this frame's searches in memory, separate from the page's. */
function stubRecentSearches(): void {
  const items = new Map<string, string>();
  Storage.prototype.getItem = (key) => items.get(key) ?? null;
  Storage.prototype.setItem = (key, value) => void items.set(key, value);
  for (const duration of [14, 7] as const) {
    saveRecentSearch({ ...SEARCH, duration }, TODAY);
  }
}

import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import type { Airport } from '../../domain/airport.ts';
import { DURATIONS } from '../../domain/duration.ts';
import { NO_FLEXIBILITY } from '../../domain/flexibility.ts';
import { partyWords } from '../../domain/party.ts';
import { NO_FILTERS } from '../../domain/result-filters.ts';
import { DEFAULT_PAGE_SIZE } from '../../domain/sort-and-page.ts';
import { useSearchContext } from '../search/search-context.tsx';
import { type ExploreState, useExplorePrices } from '../search/use-explore-prices.ts';
import { lazyCode } from '../ui/lazy-part.tsx';
import { PageLink } from '../ui/PageLink.tsx';
import { restoreScroll } from '../ui/scroll-memory.ts';
import { departureSpan, whenWords } from './departure-span.ts';
import { ExploreMap } from './ExploreMap.tsx';
import { toExploreUrl } from './explore-url.ts';
import { type ExploreView, exploreView } from './explore-view.ts';
import { PlaceList } from './PlaceList.tsx';
import { type ChosenExplore, useExploreChoice } from './use-explore-choice.ts';
import { NothingFound, TooWide } from './WithoutPrices.tsx';
import './explore.css';

/** The prices, or a message if the server does not offer Explore. */
export function ExploreResults() {
  const { config } = useSearchContext();
  return config.explore ? <OfferedExplore /> : <NotOffered />;
}

function NotOffered() {
  return (
    <section className="results" aria-label="Prices">
      <div className="explore-message">
        <h2>Explore isn’t available here</h2>
        <p>This site can’t compare places, but you can search one place at a time.</p>
        <PageLink className="button-action" href="/" toTop>
          Search for a holiday
        </PageLink>
      </div>
    </section>
  );
}

function OfferedExplore() {
  const { config, state, today } = useSearchContext();
  const choice = useExploreChoice();
  const { airport, when, nights, party } = choice;
  const span = departureSpan(when, today);
  const request = airport === null || span === null ? null : { airport, span, nights, party };
  const { data, isError, isFetching, refetch } = useExplorePrices(request, config);
  const prices: ExploreState = data ?? { kind: isError && !isFetching ? 'failed' : 'loading' };
  const isWaiting = choice.from !== null && state.airports.status === 'pending';
  return (
    <ExplorePrices choice={choice} prices={prices} isWaiting={isWaiting} onRetry={() => void refetch()} />
  );
}

interface ExplorePricesProps {
  choice: ChosenExplore;
  prices: ExploreState;
  /** Whether the URL names an airport while the list of airports is loading. */
  isWaiting: boolean;
  onRetry: () => void;
}

/** The prices, in any state. */
export function ExplorePrices({ choice, prices, isWaiting, onRetry }: ExplorePricesProps) {
  const view = useMemo(() => exploreView(choice, prices, isWaiting), [choice, prices, isWaiting]);
  const headline = useFocusOnCountry(choice.country);
  useScrollToHeadline(headline, choice.from, view.kind === 'loading');
  const isPainted = view.kind === 'countries' || view.kind === 'regions';
  // biome-ignore lint/correctness/useExhaustiveDependencies: Back may show another choice.
  useEffect(() => {
    if (isPainted) restoreScroll();
  }, [isPainted, view]);
  return (
    <section className="results explore" aria-label="Prices" aria-busy={view.kind === 'loading'}>
      <div role="status">
        {choice.notes.length > 0 && (
          <ul className="url-notes">
            {choice.notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        )}
      </div>
      <div className="explore-top">
        <div role="status">
          <h2 ref={headline} tabIndex={-1}>
            {headlineOf(view)}
          </h2>
          {isPainted && choice.airport && (
            <p className="explore-details">{detailsOf(choice, choice.airport)}</p>
          )}
        </div>
        {isPainted && <WatchExplore key={toExploreUrl(choice)} choice={choice} view={view} />}
        {choice.country !== null && (
          <PageLink className="chip-button" href={toExploreUrl({ ...choice, country: null })}>
            All countries
          </PageLink>
        )}
      </div>
      {view.kind === 'failed' && (
        <button type="button" className="button-action" onClick={onRetry}>
          Try again
        </button>
      )}
      {view.kind === 'too wide' && <TooWide choice={choice} />}
      {view.kind === 'nothing' && <NothingFound choice={choice} cheapest={view.cheapest} />}
      {(isPainted || view.kind === 'loading' || view.kind === 'unasked') && (
        <div className="explore-columns">
          <ExploreMap view={view} choice={choice} />
          {isPainted ? (
            <PlaceList view={view} choice={choice} />
          ) : (
            view.kind === 'loading' && <PlaceSkeletons />
          )}
        </div>
      )}
    </section>
  );
}

// Its own, because files that Explore shares with the results load with both.
const searchAlertCode = lazyCode(() => import('../alerts/AlertModal.tsx'));
const SearchAlert = searchAlertCode.part((code) => code.SearchAlert);

/** Watches all departures of the choice. */
function WatchExplore({ choice, view }: { choice: ChosenExplore; view: ExploreView }) {
  const { today, config } = useSearchContext();
  const [isOpen, setOpen] = useState(false);
  const { airport, country, when, nights, party } = choice;
  const span = departureSpan(when, today);
  if (span === null || !config.searchAlerts || config.conversationEndpoint === null) return null;
  const search = {
    destination: country === null ? null : ([country, '', ''] as const),
    departureAirport: airport,
    date: span.first,
    duration: nights ?? SHORTEST,
    party,
    flexibility: { ...NO_FLEXIBILITY, maxNights: nights === null ? LONGEST : null },
    ...NO_FILTERS,
    sortBy: 'price-asc' as const,
    perPage: DEFAULT_PAGE_SIZE,
    page: 1,
  };
  const totals = 'places' in view ? view.places.map(({ lowest }) => lowest.total / 100) : [];
  const lowest = totals.length === 0 ? null : Math.min(...totals);
  return (
    <>
      <button
        type="button"
        className="button-quiet"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        onPointerEnter={searchAlertCode.preload}
        onFocus={searchAlertCode.preload}
      >
        Tell me when this costs less
      </button>
      {isOpen && (
        <SearchAlert
          watched={{ search, until: span.last, lowest, hotelName: null, isBooked: false }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

const [SHORTEST, , , LONGEST] = DURATIONS;

function PlaceSkeletons() {
  return (
    <ol className="explore-list" aria-hidden="true">
      {[1, 2, 3, 4, 5].map((row) => (
        <li key={row} className="explore-place is-skeleton" />
      ))}
    </ol>
  );
}

function headlineOf(view: ExploreView): string {
  switch (view.kind) {
    case 'unasked':
      return 'Where are you flying from?';
    case 'loading':
      return 'Finding the lowest prices...';
    case 'failed':
      return 'We couldn’t load the prices.';
    case 'too wide':
      return 'That’s too much to compare in one go.';
    case 'nothing':
    case 'countries':
    case 'regions':
      return view.words;
  }
}

/** 'From Gatwick in May 2027, 7 nights, for 2 adults.' */
function detailsOf({ when, nights, party }: ChosenExplore, airport: Airport): string {
  const length = nights === null ? '4, 7, 10 or 14 nights' : `${nights} nights`;
  return `From ${airport.name} ${whenWords(when)}, ${length}, for ${partyWords(party)}.`;
}

/** Scrolls to the headline when another airport's prices arrive below the screen, as on a phone. */
function useScrollToHeadline(
  headline: RefObject<HTMLElement | null>,
  from: string | null,
  isLoading: boolean,
): void {
  const shown = useRef(from);
  useEffect(() => {
    if (isLoading || shown.current === from) return;
    shown.current = from;
    const isBelow = (headline.current?.getBoundingClientRect().bottom ?? 0) > innerHeight;
    if (isBelow) headline.current?.scrollIntoView({ block: 'start' });
  }, [headline, from, isLoading]);
}

/** Moves the focus to another country's headline, because the link that opened it is gone. */
function useFocusOnCountry(country: string | null) {
  const headline = useRef<HTMLHeadingElement>(null);
  const shown = useRef(country);
  useEffect(() => {
    if (shown.current === country) return;
    shown.current = country;
    headline.current?.focus({ preventScroll: true });
    headline.current?.scrollIntoView({ block: 'nearest' });
  }, [country]);
  return headline;
}

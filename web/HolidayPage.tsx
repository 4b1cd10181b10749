import { useEffect } from 'react';
import { useSearch } from 'wouter/use-browser-location';
import { formatLongDate } from '../domain/day-words.ts';
import { placeName } from '../domain/destination.ts';
import { daysWords, nightsWords, orWords } from '../domain/flexibility.ts';
import { isDefaultParty, partyWords } from '../domain/party.ts';
import { DecorativeAssistant } from './brand/DecorativeAssistant.tsx';
import { Explore, Shortlist } from './other-pages.ts';
import { RecentSearches } from './recent-searches/RecentSearches.tsx';
import { ResultsPage } from './results/ResultsPage.tsx';
import { visiblePage } from './results/results-view.ts';
import { preventsSearch } from './search/open-url.ts';
import { useSearchContext } from './search/search-context.tsx';
import type { SearchState } from './search/search-state.ts';
import { SearchPanel } from './search-form/SearchPanel.tsx';
import { isSharedShortlist } from './shortlist/shortlist.ts';
import { usePath } from './ui/use-path.ts';

const OTHER_TITLES: Readonly<Record<string, string>> = {
  '/explore': 'Explore holidays by price',
  '/shortlist': 'Your shortlist',
};

const LOADING = (
  <div className="explore-message">
    <p role="status">Loading...</p>
  </div>
);

const SHARED_SHORTLIST = 'A shared shortlist';

/**
 * The page of '/', '/results' and '/alerts' (Section 2): the form, then the results or the decorative assistant.
 * '/' hides the results and keeps them for Back. '/explore' and '/shortlist' have their own pages.
 */
export function HolidayPage() {
  const path = usePath();
  const isShared = isSharedShortlist(useSearch({ ssrSearch: '' }));
  const { state, config, today, waitingForUrl } = useSearchContext();
  const hasSearched = state.loading || state.error !== null || state.results !== null;
  const showsResults = path === '/results' || (path !== '/' && hasSearched);
  const words =
    (path === '/shortlist' && isShared ? SHARED_SHORTLIST : OTHER_TITLES[path]) ??
    (showsResults ? resultsTitle(state, waitingForUrl) : 'Find a package holiday');
  const title = `${words} | ${config.brandName}`;
  useEffect(() => {
    document.title = title;
  }, [title]);
  if (path === '/explore' || path === '/shortlist') {
    const [Content, heading] =
      path === '/explore'
        ? [Explore, 'Explore']
        : [Shortlist, isShared ? SHARED_SHORTLIST : OTHER_TITLES[path]];
    return (
      <main className="page is-explore">
        <h1 className="hero">{heading}</h1>
        <Content key={path} fallback={LOADING} />
      </main>
    );
  }
  return (
    <main className={showsResults ? 'page is-results' : 'page is-home'}>
      <div className="hero">
        <h1 className={showsResults ? 'visually-hidden' : 'hero-title'}>Your next holiday, found</h1>
        {!showsResults && (
          <p className="hero-words">
            Flight and hotel in one price, from every provider we compare. We add no fees: you book direct
            with them.
          </p>
        )}
        <SearchPanel isCompact={showsResults} />
        {!showsResults && <RecentSearches today={today} />}
        {config.sampleInventory && (
          <p className="sample-label">Sample holidays: these hotels, providers and prices are made up</p>
        )}
      </div>
      {showsResults ? <ResultsPage /> : <DecorativeAssistant />}
    </main>
  );
}

/** A search's title for tabs, bookmarks and the history. */
function resultsTitle(state: SearchState, isWaitingForUrl: boolean): string {
  const { destination, departureAirport, date, duration, party, flexibility, preferences } = state;
  if (preventsSearch(state.unread)) return 'We haven’t run this search yet';
  if (destination === null) return isWaitingForUrl ? 'Holiday results' : 'No holidays found';
  // A URL may name a page past the last.
  const isPainted = !state.loading && state.results !== null;
  const page = isPainted ? visiblePage(state).currentPage : preferences.currentPage;
  const parts = [
    orWords([destination, ...flexibility.places].map(placeName)),
    date && formatLongDate(date) + daysWords(flexibility),
    departureAirport && `${nightsWords(duration, flexibility)} from ${departureAirport.name}`,
    !isDefaultParty(party) && partyWords(party),
    page > 1 && `page ${page}`,
  ];
  return parts.filter(Boolean).join(', ');
}

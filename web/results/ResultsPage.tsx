import { useEffect, useMemo, useRef } from 'react';
import { isDefaultParty } from '../../domain/party.ts';
import { hasFilters } from '../../domain/result-filters.ts';
import { useSearchContext } from '../search/search-context.tsx';
import { correctPage } from '../search/use-address-bar.ts';
import { useLazyCode } from '../ui/lazy-code.ts';
import { restoreScroll } from '../ui/scroll-memory.ts';
import { ResultsHeadline } from './ResultsHeadline.tsx';
import { ResultsSkeleton } from './ResultsSkeleton.tsx';
import { resultsCode } from './results-code.ts';
import { resultsView, visiblePage } from './results-view.ts';
// Imported here rather than with the cards, so that skeletons are as large as cards.
import '../price-analysis/price-analysis.css';
import './empty-help.css';
import './holiday-card.css';
import './results-skeleton.css';
import './results-tools.css';
import './results.css';

/** The results screen (Section 2): one of loading, failed, unread, stopped, empty, or a page of cards. */
export function ResultsPage() {
  const { state, config, hasSettings, waitingForAddress, pendingFocus, searchAgain, showPage } =
    useSearchContext();
  const { results, preferences, airports } = state;
  const page = useMemo(() => visiblePage({ results, preferences }), [results, preferences]);
  const view = waitingForAddress ? { kind: 'loading' as const } : resultsView(state, page);
  const headline = useRef<HTMLHeadingElement>(null);
  // The same code ran the search, so it is loaded by the time there are results.
  const lazy = useLazyCode(resultsCode);
  const code = lazy.status === 'stored' ? lazy.code : null;
  // A filter that leaves no results can be removed where it was set.
  const hasTools =
    view.kind === 'loading' || view.kind === 'loaded' || (view.kind === 'empty' && hasFilters(state));

  useEffect(() => {
    if (view.kind === 'loading' || pendingFocus.current === null) return;
    // A search scrolls the page to its top; another page of cards scrolls to the headline.
    const afterSearch = pendingFocus.current === 'after a search';
    // If a failure replaces the form, it takes the focus.
    if (!state.formFailed) headline.current?.focus({ preventScroll: afterSearch });
    pendingFocus.current = null;
  });

  const isPastLast = view.kind === 'loaded' && preferences.currentPage > page.currentPage;
  useEffect(() => {
    if (isPastLast) correctPage(page.currentPage);
  }, [isPastLast, page.currentPage]);

  const isLoaded = view.kind === 'loaded' && code !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: Back may show another page of cards.
  useEffect(() => {
    if (isLoaded) restoreScroll();
  }, [isLoaded, page]);

  return (
    <section className="results" aria-label="Results" aria-busy={view.kind === 'loading'}>
      <div className="results-top">
        <ResultsHeadline view={view} sortBy={preferences.sortBy} headlineRef={headline}>
          {view.kind !== 'loading' && code && <code.HeadlineNotes view={view} />}
        </ResultsHeadline>
        {view.kind === 'loaded' && code && <code.ResultsControls />}
      </div>
      {view.kind === 'failed' && !view.isQuiet && (
        <button type="button" className="button-quiet" onClick={searchAgain}>
          Search again
        </button>
      )}
      {hasTools &&
        (code && view.kind !== 'loading' ? <code.ResultsTools /> : <div className="results-tools" />)}
      {/* Room is reserved until the configuration is loaded, to avoid a layout shift. */}
      {code && view.kind === 'loaded' && <code.CheapestDates />}
      {view.kind === 'loading' && (config.cheapestDates || !hasSettings) && (
        <div className="cheapest-dates" />
      )}
      {view.kind === 'empty' && code && (
        <code.EmptyHelp filtered={hasFilters(state)} forOthers={!isDefaultParty(state.party)} />
      )}
      {view.kind === 'loading' && <ResultsSkeleton cards={Math.min(preferences.perPage, 4)} />}
      {view.kind === 'loaded' && code && (
        <code.HolidayList
          page={view.page}
          hasMore={view.hasMore}
          airports={airports.status === 'stored' ? airports.value : []}
          config={config}
          onPage={showPage}
        />
      )}
      {code && (
        <code.PublishedPageData
          page={'page' in view ? view.page : null}
          sortBy={preferences.sortBy}
          perPage={preferences.perPage}
          config={config}
        />
      )}
    </section>
  );
}

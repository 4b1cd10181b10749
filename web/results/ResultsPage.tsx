import { useEffect, useMemo, useRef } from 'react';
import { hasFilters } from '../../domain/result-filters.ts';
import { useSearchContext } from '../search/search-context.tsx';
import { correctPage } from '../search/use-address-bar.ts';
import { useMedia } from '../ui/use-media.ts';
import { filtersCode } from './filters/filters-code.ts';
import { ResultsHeadline } from './ResultsHeadline.tsx';
import { ResultsSkeleton } from './ResultsSkeleton.tsx';
import { resultsCode } from './results-code.ts';
import { HAS_RAIL, hasBar, resultsView, visiblePage } from './results-view.ts';
import { wrongClockNote } from './wrong-clock-note.ts';
// Imported here, because skeletons need the cards' styles before the cards are loaded.
import '../price-analysis/price-analysis.css';
import '../shortlist/save-button.css';
import './empty-help.css';
import './holiday-card.css';
import './results-skeleton.css';
import './results-bar.css';
import './results.css';

// The same code runs the search, so it is loaded before the results are.
const HeadlineNotes = resultsCode.part((code) => code.HeadlineNotes);
const FilterRail = filtersCode.part((code) => code.FilterRail);
const LoadedResults = resultsCode.part((code) => code.LoadedResults);

const WAITING = { kind: 'loading', page: null, hasMore: false } as const;

/** The results screen (Section 2): one of loading, failed, unread, stopped, empty, or a page of cards. */
export function ResultsPage() {
  const { state, config, hasSettings, waitingForUrl, pendingFocus, searchAgain } = useSearchContext();
  const { results, preferences, shown } = state;
  const page = useMemo(() => visiblePage({ results, shown }), [results, shown]);
  const view = waitingForUrl ? WAITING : resultsView(state, page);
  const isWide = useMedia(HAS_RAIL);
  const isUsable = hasBar(view, state);
  const headline = useRef<HTMLHeadingElement>(null);
  const section = useRef<HTMLElement>(null);

  useEffect(() => {
    if (view.kind === 'loading' || pendingFocus.current === null) return;
    // Submitting a search scrolls to the top of the page; changing the page of cards scrolls to its first card.
    // A failure that replaces the form takes the focus.
    if (!state.formFailed) headline.current?.focus({ preventScroll: true });
    if (pendingFocus.current === 'on another page')
      section.current?.querySelector('.results-list')?.scrollIntoView();
    pendingFocus.current = null;
  });

  const isPastLast = view.kind === 'loaded' && preferences.currentPage > page.currentPage;
  useEffect(() => {
    if (isPastLast) correctPage(page.currentPage);
  }, [isPastLast, page.currentPage]);

  return (
    <div className={view.kind === 'loading' || isUsable ? 'has-rail' : undefined}>
      {isWide && isUsable && <FilterRail />}
      <section ref={section} className="results" aria-label="Results" aria-busy={view.kind === 'loading'}>
        <div className={`results-top is-${view.kind}`}>
          <ResultsHeadline
            view={view}
            sortBy={preferences.sortBy}
            clockNote={wrongClockNote()}
            headlineRef={headline}
            onRetry={searchAgain}
          >
            {view.kind !== 'loading' && <HeadlineNotes view={view} />}
          </ResultsHeadline>
        </div>
        {view.kind === 'loading' && view.page === null && (
          <ResultsSkeleton
            cards={Math.min(preferences.perPage, 4)}
            // Reserves their height until the configuration is loaded.
            hasDates={(config.cheapestDates || !hasSettings) && !hasFilters(state)}
          />
        )}
        <LoadedResults view={view} />
      </section>
    </div>
  );
}

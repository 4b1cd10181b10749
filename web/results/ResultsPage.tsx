import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { PackageHoliday } from '../../domain/package-holiday.ts';
import { canAskForAlerts, PriceAlerts } from '../alerts/PriceAlerts.tsx';
import { usePublishedPageData } from '../price-analysis/use-published-page-data.ts';
import { useSearchContext } from '../search/search-context.tsx';
import { HolidayCard } from './HolidayCard.tsx';
import { Pagination } from './Pagination.tsx';
import { ResultsControls } from './ResultsControls.tsx';
import { ResultsHeadline } from './ResultsHeadline.tsx';
import { ResultsSkeleton } from './ResultsSkeleton.tsx';
import { recordVisit } from './record-visit.ts';
import { heldPage, resultsView } from './results-view.ts';
import './holiday-card.css';
import './results.css';

/** The results screen (Section 2): one of loading, failed, stopped, empty, or a page of cards. */
export function ResultsPage() {
  const { state, config, waitingForAirports, focusWish, searchAgain, showPage } = useSearchContext();
  const { results, preferences, airports } = state;
  const page = useMemo(() => heldPage({ results, preferences }), [results, preferences]);
  const view = waitingForAirports ? { kind: 'loading' as const } : resultsView(state, page);
  const [watched, setWatched] = useState<PackageHoliday | null>(null);
  const headline = useRef<HTMLHeadingElement>(null);
  usePublishedPageData(view, preferences, config);
  const { visitsEndpoint } = config;
  const onVisit = useCallback(
    (holiday: PackageHoliday) => recordVisit(visitsEndpoint, holiday),
    [visitsEndpoint],
  );

  useEffect(() => {
    if (view.kind === 'loading' || focusWish.current === null) return;
    // After a search the page glides to its top; another page of cards begins at its headline.
    const afterSearch = focusWish.current === 'after a search';
    // Where the form has given way to a failure, focus goes to that.
    if (!state.formFailed) headline.current?.focus({ preventScroll: afterSearch });
    focusWish.current = null;
  });

  return (
    <section className="results" aria-label="Results" aria-busy={view.kind === 'loading'}>
      <div className="results-top">
        <ResultsHeadline view={view} sortBy={preferences.sortBy} headlineRef={headline} />
        {view.kind === 'loaded' && <ResultsControls />}
      </div>
      {view.kind === 'failed' && (
        <button type="button" className="button-quiet" onClick={searchAgain}>
          Search again
        </button>
      )}
      {view.kind === 'loading' && <ResultsSkeleton cards={Math.min(preferences.perPage, 4)} />}
      {view.kind === 'loaded' && (
        <>
          <ol className="results-list">
            {view.page.items.map((holiday, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: another server may send one key twice.
              <li key={`${holiday.ItemKey} ${index}`}>
                <HolidayCard
                  holiday={holiday}
                  airports={airports.status === 'stored' ? airports.value : []}
                  provider={config.providers[holiday.Brand]}
                  onVisit={onVisit}
                  onWatch={canAskForAlerts(config) ? setWatched : undefined}
                />
              </li>
            ))}
          </ol>
          <PriceAlerts holiday={watched} config={config} onClose={() => setWatched(null)} />
          <Pagination page={view.page} hasMore={view.hasMore} onPage={showPage} />
        </>
      )}
    </section>
  );
}

import { isDefaultParty } from '../../domain/party.ts';
import { hasFilters } from '../../domain/result-filters.ts';
import { PublishedPageData } from '../price-analysis/PublishedPageData.tsx';
import { useSearchContext } from '../search/search-context.tsx';
import { CheapestDates } from './CheapestDates.tsx';
import { EmptyHelp } from './EmptyHelp.tsx';
import { HolidayList } from './HolidayList.tsx';
import { ResultsTools } from './ResultsTools.tsx';
import type { ResultsView } from './results-view.ts';

// Loaded as one file: see results-code.ts.
export { runSearch } from '../search/run-search.ts';
export { createSearchClient } from '../search/search-client.ts';
export { HeadlineNotes } from './HeadlineNotes.tsx';
export { ResultsControls } from './ResultsControls.tsx';

/** The results below their headline: filters, nearby dates, and the cards or suggestions. */
export function LoadedResults({ view }: { view: ResultsView }) {
  const { state, config, showPage } = useSearchContext();
  const { preferences, airports } = state;
  // Filters that leave no results stay visible, so that they can be removed.
  const hasTools = view.kind === 'loaded' || (view.kind === 'empty' && hasFilters(state));
  return (
    <>
      {hasTools && <ResultsTools />}
      {view.kind === 'empty' && (
        <EmptyHelp filtered={hasFilters(state)} forOthers={!isDefaultParty(state.party)} />
      )}
      {view.kind === 'loaded' && (
        <>
          <CheapestDates />
          <HolidayList
            page={view.page}
            hasMore={view.hasMore}
            airports={airports.status === 'stored' ? airports.value : []}
            config={config}
            onPage={showPage}
          />
        </>
      )}
      <PublishedPageData
        page={'page' in view ? view.page : null}
        sortBy={preferences.sortBy}
        perPage={preferences.perPage}
        config={config}
      />
    </>
  );
}

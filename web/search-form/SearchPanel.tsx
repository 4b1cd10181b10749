import { useId, useRef, useState } from 'react';
import { preventsSearch } from '../search/open-url.ts';
import { useSearchContext } from '../search/search-context.tsx';
import { SearchFailure } from './SearchFailure.tsx';
import { SearchForm } from './SearchForm.tsx';
import { SearchSummary } from './SearchSummary.tsx';

/**
 * The search form, or the message that replaces it after a failed search (Section 8). Above results on a narrow
 * screen, a line sums up the search and opens the form.
 */
export function SearchPanel({ isCompact }: { isCompact: boolean }) {
  const { state, config, today, waitingForUrl, retryLists } = useSearchContext();
  const { editForm, search, searchAgain, modify, dismissFormFailure } = useSearchContext();
  const { destination, departureAirport, destinations, airports, form, formFailed, loading, unread } = state;
  const [isEditing, setEditing] = useState(false);
  const panel = useRef<HTMLDivElement>(null);
  const formId = useId();
  const isComplete = destination !== null && departureAirport !== null && !preventsSearch(unread);
  const hasSummary = isCompact && (waitingForUrl || isComplete);
  const edit = () => {
    setEditing(true);
    panel.current?.focus();
  };
  if (formFailed) {
    return (
      <div ref={panel} className="search-panel" tabIndex={-1}>
        <SearchFailure
          onRetry={searchAgain}
          onChange={() => {
            dismissFormFailure();
            edit();
          }}
        />
      </div>
    );
  }
  return (
    <div
      ref={panel}
      className="search-panel"
      data-collapsed={(hasSummary && !isEditing) || undefined}
      tabIndex={-1}
    >
      {hasSummary && (
        <SearchSummary
          formId={formId}
          isEditing={isEditing}
          onToggle={() => setEditing(!isEditing)}
          onModify={() => {
            modify();
            edit();
          }}
        />
      )}
      <div id={formId} className="search-whole">
        <SearchForm
          lists={{ destinations, airports, retry: retryLists }}
          value={form}
          onChange={editForm}
          onSearch={() => {
            setEditing(false);
            search();
          }}
          onModify={() => {
            modify();
            setEditing(true);
          }}
          isSearching={loading}
          today={today}
          parties={config.parties}
          priceService={config.priceCalendar ? config : null}
          hasExplore={config.explore}
          hasOptions={config.facets}
          isCompact={isCompact}
        />
      </div>
    </div>
  );
}

import { useRef } from 'react';
import { useSearchContext } from '../search/search-context.tsx';
import { SearchFailure } from './SearchFailure.tsx';
import { SearchForm } from './SearchForm.tsx';

/** The search form, or the message that replaces it after a failed search (Section 8, ruling 5). */
export function SearchPanel({ isCompact }: { isCompact: boolean }) {
  const { state, config, today, editForm, search, modify, dismissFormFailure, retryLists } =
    useSearchContext();
  const { destinations, airports, form, formFailed, loading } = state;
  const panel = useRef<HTMLDivElement>(null);
  return (
    <div ref={panel} className="search-panel" tabIndex={-1}>
      {formFailed ? (
        <SearchFailure
          onDismiss={() => {
            dismissFormFailure();
            panel.current?.focus();
          }}
        />
      ) : (
        <SearchForm
          lists={{ destinations, airports, retry: retryLists }}
          value={form}
          onChange={editForm}
          onSearch={search}
          onModify={modify}
          isSearching={loading}
          today={today}
          parties={config.parties}
          priceService={config.priceCalendar ? config : null}
          hasExplore={config.explore}
          isCompact={isCompact}
        />
      )}
    </div>
  );
}

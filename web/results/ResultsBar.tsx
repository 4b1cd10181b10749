import { NO_FILTERS } from '../../domain/result-filters.ts';
import { useSearchContext } from '../search/search-context.tsx';
import { DialogOpener } from '../ui/LazyDialog.tsx';
import { lazyCode } from '../ui/lazy-code.ts';
import { activeFilters } from './filters/active-filters.ts';
import { SortControl } from './ResultsControls.tsx';
import { ShareSearch } from './ShareSearch.tsx';

export const filterCode = lazyCode('filters', () => import('./filters/FilterSheet.tsx'));

interface ResultsBarProps {
  canSort: boolean;
  onFilter: () => void;
}

/** Order, filters and the share button; it stays in reach on a phone. Below it, the active filters. */
export function ResultsBar({ canSort, onFilter }: ResultsBarProps) {
  const { state, config, showFiltered } = useSearchContext();
  const { airports } = state;
  const active = activeFilters(state, config, airports.status === 'stored' ? airports.value : []);
  return (
    <>
      <div className="results-bar">
        {canSort && <SortControl />}
        <DialogOpener code={filterCode} className="button-quiet" onOpen={onFilter}>
          <span>{active.length === 0 ? 'Filters' : `Filters (${active.length})`}</span>
        </DialogOpener>
        <ShareSearch />
      </div>
      {active.length > 0 && (
        <ul className="filter-chips" aria-label="Active filters">
          {active.map(({ words, cleared }) => (
            <li key={words}>
              <button type="button" className="chip-button" onClick={() => showFiltered(cleared)}>
                <span className="visually-hidden">Remove filter: </span>
                <span>{words}</span>
                <span aria-hidden="true">×</span>
              </button>
            </li>
          ))}
          <li>
            <button type="button" className="chip-button" onClick={() => showFiltered(NO_FILTERS)}>
              Clear all
            </button>
          </li>
        </ul>
      )}
    </>
  );
}

import { NO_FILTERS } from '../../../domain/result-filters.ts';
import { useSearchContext } from '../../search/search-context.tsx';
import { activeFilters } from './filter-groups.ts';
import { useFilterNames } from './use-filter-names.ts';

/** The active filters, each with a button that removes it. */
export function FilterChips() {
  const { state, showFiltered } = useSearchContext();
  const names = useFilterNames();
  return (
    <ul className="filter-chips" aria-label="Active filters">
      {activeFilters(state, names, 'value').map(({ words, cleared }) => (
        <li key={words}>
          <button type="button" className="chip-button" onClick={() => showFiltered(cleared)}>
            <span className="visually-hidden">Remove filter: </span>
            <span>{words}</span>
            <span aria-hidden="true">×</span>
          </button>
        </li>
      ))}
      <li>
        <button type="button" className="chip-button is-all" onClick={() => showFiltered(NO_FILTERS)}>
          Clear all
        </button>
      </li>
    </ul>
  );
}

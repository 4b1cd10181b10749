import { boardBasisWords } from '../../../domain/board-basis.ts';
import type { FilterNames } from '../../../domain/filters.ts';
import { refineEntries, withRefine } from '../../../domain/refinements.ts';
import { NO_FILTERS, type ResultFilters } from '../../../domain/result-filters.ts';
import { useSearchContext } from '../../search/search-context.tsx';
import { filterWords } from './filter-groups.ts';
import { useFilterNames } from './use-filter-names.ts';

/** The active filters, each with a button that removes it. */
export function FilterChips() {
  const { state, showFiltered } = useSearchContext();
  const names = useFilterNames();
  return (
    <ul className="filter-chips" aria-label="Active filters">
      {activeFilters(state, names).map(({ words, cleared }) => (
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

/** The active filters in words, in the order of the filter sheet, with the change that removes each. */
function activeFilters({ boardBasis, starRating, refine }: ResultFilters, names: FilterNames) {
  const active: { words: string; cleared: Partial<ResultFilters> }[] = [];
  if (boardBasis !== '') active.push({ words: boardBasisWords(boardBasis), cleared: { boardBasis: '' } });
  if (starRating !== '') active.push({ words: `${starRating} star`, cleared: { starRating: '' } });
  for (const [key, values] of refineEntries(refine)) {
    for (const value of values) {
      const others = values.filter((each) => each !== value);
      const cleared = { refine: withRefine(refine, key, others) };
      active.push({ words: filterWords(key, value, names), cleared });
    }
  }
  return active;
}

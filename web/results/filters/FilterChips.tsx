import { boardBasisWords } from '../../../domain/board-basis.ts';
import { REFINE_KEYS, withRefine } from '../../../domain/refinements.ts';
import { NO_FILTERS, type ResultFilters } from '../../../domain/result-filters.ts';
import { useSearchContext } from '../../search/search-context.tsx';
import { type FilterNames, filterWords } from './facet-groups.ts';

/** The active filters, each with a button that removes it. */
export function FilterChips() {
  const { state, config, showFiltered } = useSearchContext();
  const airports = state.airports.status === 'stored' ? state.airports.value : [];
  return (
    <ul className="filter-chips" aria-label="Active filters">
      {activeFilters(state, { airports, providers: config.providers }).map(({ words, cleared }) => (
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
  );
}

/** The active filters in words, in the order of the filter sheet, with the change that removes each. */
function activeFilters({ boardBasis, starRating, refine }: ResultFilters, names: FilterNames) {
  const active: { words: string; cleared: Partial<ResultFilters> }[] = [];
  if (boardBasis !== '') active.push({ words: boardBasisWords(boardBasis), cleared: { boardBasis: '' } });
  if (starRating !== '') active.push({ words: `${starRating} star`, cleared: { starRating: '' } });
  for (const key of REFINE_KEYS) {
    for (const value of refine[key] ?? []) {
      const others = refine[key]?.filter((each) => each !== value) ?? [];
      const cleared = { refine: withRefine(refine, key, others) };
      active.push({ words: filterWords(key, value, names), cleared });
    }
  }
  return active;
}

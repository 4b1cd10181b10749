import { useId } from 'react';
import { PAGE_SIZES } from '../../domain/sort-and-page.ts';
import { parseSortBy, SORT_OPTIONS } from '../../domain/sort-by.ts';
import { useSearchContext } from '../search/search-context.tsx';

/** 'Sort by' and 'Results per page' (Section 2). Both reset the page to 1 (Section 4). */
export function ResultsControls() {
  const { state, showSortedBy, showPerPage } = useSearchContext();
  const { sortBy, perPage } = state.preferences;
  const sortId = useId();
  const sizeId = useId();
  return (
    <div className="results-controls">
      <div className="results-control">
        <label htmlFor={sortId}>Sort by</label>
        <select
          id={sortId}
          value={sortBy}
          onChange={(event) => showSortedBy(parseSortBy(event.target.value) ?? 'default')}
        >
          {SORT_OPTIONS.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </div>
      <div className="results-control">
        <label htmlFor={sizeId}>Results per page</label>
        <select id={sizeId} value={perPage} onChange={(event) => showPerPage(Number(event.target.value))}>
          {PAGE_SIZES.map((size) => (
            <option key={size} value={size}>
              {size}
            </option>
          ))}
        </select>
      </div>
    </div>
  );
}

import { PAGE_SIZES } from '../../domain/sort-and-page.ts';
import { FURTHER_SORTS, isByPriceScore, SORT_OPTIONS } from '../../domain/sort-by.ts';
import { useSearchContext } from '../search/search-context.tsx';
import { LabelledSelect } from '../ui/LabelledSelect.tsx';

/** 'Sort by' (Section 2), with the orders that the server makes possible. */
export function SortControl() {
  const { state, config, showSortedBy } = useSearchContext();
  const { sortBy } = state.preferences;
  const further = FURTHER_SORTS.filter(
    ({ value }) => config.priceHistory || !isByPriceScore(value) || value === sortBy,
  );
  return (
    <LabelledSelect
      className="results-control"
      label="Sort by"
      value={sortBy}
      options={[...SORT_OPTIONS, ...further].map(({ value, label }) => [value, label])}
      onChange={showSortedBy}
    />
  );
}

/** 'Results per page' (Section 2). */
export function PageSizeControl() {
  const { state, showPerPage } = useSearchContext();
  return (
    <LabelledSelect
      className="results-control"
      label="Results per page"
      value={state.preferences.perPage}
      options={PAGE_SIZES.map((size) => [size, String(size)])}
      onChange={showPerPage}
    />
  );
}

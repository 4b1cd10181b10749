import { type ReactNode, useId } from 'react';
import { PAGE_SIZES } from '../../domain/sort-and-page.ts';
import { FURTHER_SORTS, isByPriceScore, parseSortBy, SORT_OPTIONS } from '../../domain/sort-by.ts';
import { useSearchContext } from '../search/search-context.tsx';

/** 'Sort by' (Section 2), with the orders that the server makes possible. */
export function SortControl() {
  const { state, config, showSortedBy } = useSearchContext();
  const { sortBy } = state.preferences;
  const further = FURTHER_SORTS.filter(
    ({ value }) => config.priceHistory || !isByPriceScore(value) || value === sortBy,
  );
  return (
    <LabelledSelect
      label="Sort by"
      value={sortBy}
      onChange={(value) => showSortedBy(parseSortBy(value) ?? 'default')}
    >
      {[...SORT_OPTIONS, ...further].map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </LabelledSelect>
  );
}

/** 'Results per page' (Section 2). */
export function PageSizeControl() {
  const { state, showPerPage } = useSearchContext();
  return (
    <LabelledSelect
      label="Results per page"
      value={state.preferences.perPage}
      onChange={(value) => showPerPage(Number(value))}
    >
      {PAGE_SIZES.map((size) => (
        <option key={size} value={size}>
          {size}
        </option>
      ))}
    </LabelledSelect>
  );
}

interface LabelledSelectProps {
  label: string;
  value: string | number;
  onChange: (value: string) => void;
  children: ReactNode;
}

function LabelledSelect({ label, value, onChange, children }: LabelledSelectProps) {
  const id = useId();
  return (
    <div className="results-control">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChange(event.target.value)}>
        {children}
      </select>
    </div>
  );
}

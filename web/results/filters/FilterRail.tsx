import { useRef } from 'react';
import { useOutsidePress } from '../../ui/use-outside-press.ts';
import { FilterGroups, useFilterVisit } from './FilterGroups.tsx';

/** The filters of a wide screen, beside the results. A visit ends when pointer or focus go elsewhere. */
export function FilterRail() {
  const { onFilter, endVisit } = useFilterVisit();
  const rail = useRef<HTMLElement>(null);
  useOutsidePress(rail, true, endVisit);
  return (
    <aside
      ref={rail}
      className="filter-rail"
      aria-label="Filters"
      onBlur={({ currentTarget, relatedTarget }) => {
        // A press on a label takes the focus away for a moment.
        if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) endVisit();
      }}
    >
      <FilterGroups onFilter={onFilter} />
    </aside>
  );
}

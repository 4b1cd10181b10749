import { hasFilters, NO_FILTERS } from '../../../domain/result-filters.ts';
import { useSearchContext } from '../../search/search-context.tsx';
import { Modal } from '../../ui/Modal.tsx';
import { FilterGroups, useFilterVisit } from './FilterGroups.tsx';

interface FilterSheetProps {
  /** The number of results with the current filters; null while it is unknown. */
  found: number | null;
  onClose: () => void;
}

/** The filters of a narrow screen. */
export function FilterSheet({ found, onClose }: FilterSheetProps) {
  const { state } = useSearchContext();
  const { onFilter } = useFilterVisit();
  return (
    <Modal title="Filters" size="middle" onClose={onClose}>
      <FilterGroups onFilter={onFilter} />
      <div className="filter-actions">
        {hasFilters(state) && (
          <button type="button" className="button-quiet" onClick={() => onFilter(NO_FILTERS)}>
            Clear all
          </button>
        )}
        <button type="button" className="button-action" onClick={onClose}>
          {foundWords(found)}
        </button>
      </div>
    </Modal>
  );
}

function foundWords(found: number | null): string {
  if (found === null) return 'Searching...';
  return `Show ${found} ${found === 1 ? 'result' : 'results'}`;
}

import { useEffect } from 'react';
import { countFilters } from '../../domain/result-filters.ts';
import { useSearchContext } from '../search/search-context.tsx';
import { DialogOpener } from '../ui/LazyDialog.tsx';
import { lazyCode, useLazyCode } from '../ui/lazy-code.ts';
import { ShareLink } from '../ui/ShareLink.tsx';
import { SortControl } from './ResultsControls.tsx';

export const filterCode = lazyCode('filters', () => import('./filters/FilterSheet.tsx'));

interface ResultsBarProps {
  canSort: boolean;
  onFilter: () => void;
  isMapped: boolean;
  /** Opens or closes the map; undefined if no hotel has a known position. */
  onMap: (() => void) | undefined;
}

/** Order, filters and the share button; it stays in reach on a phone. Below it, the active filters. */
export function ResultsBar({ canSort, onFilter, isMapped, onMap }: ResultsBarProps) {
  const { state } = useSearchContext();
  const lazy = useLazyCode(filterCode);
  const active = countFilters(state);
  const hasActive = active > 0;
  useEffect(() => {
    if (hasActive) filterCode.preload();
  }, [hasActive]);
  return (
    <>
      <div className="results-bar">
        {canSort && <SortControl />}
        <DialogOpener code={filterCode} className="button-quiet" onOpen={onFilter}>
          <span>{hasActive ? `Filters (${active})` : 'Filters'}</span>
        </DialogOpener>
        {onMap && (
          <button type="button" className="button-quiet" aria-pressed={isMapped} onClick={onMap}>
            Map
          </button>
        )}
        <ShareLink what="this search" />
      </div>
      {hasActive && lazy.status === 'stored' && <lazy.code.FilterChips />}
    </>
  );
}

import type { ReactNode } from 'react';
import { countFilters } from '../../domain/result-filters.ts';
import { useSearchContext } from '../search/search-context.tsx';
import { useShortlist } from '../shortlist/shortlist.ts';
import { DialogOpener } from '../ui/DialogOpener.tsx';
import { Icon } from '../ui/Icon.tsx';
import { PageLink } from '../ui/PageLink.tsx';
import { ShareLink } from '../ui/ShareLink.tsx';
import { filtersCode } from './filters/filters-code.ts';
import { SortControl } from './ResultsControls.tsx';

const FilterChips = filtersCode.part((code) => code.FilterChips);

interface ResultsBarProps {
  canSort: boolean;
  /** Opens the filters; undefined where they stand beside the results. */
  onFilter: (() => void) | undefined;
  isMapped: boolean;
  /** Opens or closes the map; undefined if no hotel has a known position. */
  onMap: (() => void) | undefined;
  /** 'Tell me when this costs less'. */
  watch: ReactNode;
}

/** Order, filters, the shortlist and the share button; it stays in reach on a phone. Below it, the active filters. */
export function ResultsBar({ canSort, onFilter, isMapped, onMap, watch }: ResultsBarProps) {
  const { state } = useSearchContext();
  const active = countFilters(state);
  const hasActive = active > 0;
  const saved = useShortlist()?.length ?? 0;
  return (
    <>
      <div className={saved > 0 ? 'results-bar has-shortlist' : 'results-bar'}>
        {canSort && <SortControl />}
        {onFilter && (
          <DialogOpener code={filtersCode} className="button-quiet" onOpen={onFilter}>
            <span>{hasActive ? `Filters (${active})` : 'Filters'}</span>
          </DialogOpener>
        )}
        {onMap && (
          <button type="button" className="button-quiet" aria-pressed={isMapped} onClick={onMap}>
            Map
          </button>
        )}
        {saved > 0 && (
          <PageLink className="button-quiet" href="/shortlist" toTop aria-label={`Compare ${saved} saved`}>
            <Icon name="heart" />
            <span>{saved}</span>
          </PageLink>
        )}
        {watch}
        <ShareLink what="this search" />
      </div>
      {hasActive && <FilterChips />}
    </>
  );
}

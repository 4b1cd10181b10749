import { useRef } from 'react';
import { boardBasisWords } from '../../../domain/board-basis.ts';
import { withRefine } from '../../../domain/refinements.ts';
import { BOARD_OPTIONS, type ResultFilters, STAR_OPTIONS } from '../../../domain/result-filters.ts';
import { useSearchContext } from '../../search/search-context.tsx';
import { ChoiceGroup, withChosen } from './ChoiceGroup.tsx';
import { filterGroups } from './filter-groups.ts';
import { PriceGroup } from './PriceGroup.tsx';
import { TypedField } from './TypedField.tsx';
import { useFilterNames } from './use-filter-names.ts';
import './filter-groups.css';

type OnFilter = (filters: Partial<ResultFilters>) => void;

/**
 * Applies filters. The changes of one visit are one step for Back: a visit ends with `endVisit`, and when something else
 * changes the address.
 */
export function useFilterVisit(): { onFilter: OnFilter; endVisit: () => void } {
  const { showFiltered } = useSearchContext();
  const address = useRef('');
  return {
    onFilter(filters) {
      showFiltered(filters, { isSameStep: address.current === location.href });
      address.current = location.href;
    },
    endVisit() {
      address.current = '';
    },
  };
}

/** The filters, in the sheet or the rail. A change applies immediately. */
export function FilterGroups({ onFilter }: { onFilter: OnFilter }) {
  const { facets } = useSearchContext().config;
  return facets ? <CountedGroups onFilter={onFilter} /> : <SpecifiedGroups onFilter={onFilter} />;
}

/** The filters of Section 7, for any server. */
function SpecifiedGroups({ onFilter }: { onFilter: OnFilter }) {
  const { boardBasis, starRating } = useSearchContext().state;
  return (
    <>
      <ChoiceGroup
        legend="Board"
        any="Any board"
        options={withChosen(BOARD_OPTIONS, boardBasis, boardBasisWords)}
        chosen={[boardBasis].filter(Boolean)}
        onChange={([chosen = '']) => onFilter({ boardBasis: chosen })}
      />
      <ChoiceGroup
        legend="Stars"
        any="Any stars"
        options={withChosen(STAR_OPTIONS, starRating, (stars) => `${stars} star`)}
        chosen={[starRating].filter(Boolean)}
        onChange={([chosen = '']) => onFilter({ starRating: chosen })}
      />
    </>
  );
}

/** The filters whose options the server counts. */
function CountedGroups({ onFilter }: { onFilter: OnFilter }) {
  const { results, party, refine } = useSearchContext().state;
  const names = useFilterNames();
  return filterGroups(results?.facets, refine, names).map((group) => {
    const { key, legend } = group;
    const onChange = (values: string[]) => onFilter({ refine: withRefine(refine, key, values) });
    const common = { legend, chosen: refine[key] ?? [], onChange };
    if (group.control === 'text')
      return (
        <div key={key} className="filter-group">
          <TypedField
            type="search"
            label={legend}
            value={refine[key]?.[0] ?? ''}
            onApply={(text) => {
              onChange([text].filter(Boolean));
              return { text };
            }}
          />
        </div>
      );
    if (group.control === 'choices')
      return <ChoiceGroup key={key} {...common} any={group.any} options={group.options} />;
    return <PriceGroup key={key} {...common} prices={group.prices} people={party.adults + party.children} />;
  });
}

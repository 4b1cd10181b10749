import { useEffect, useId, useRef, useState } from 'react';
import { boardBasisWords } from '../../../domain/board-basis.ts';
import { withRefine } from '../../../domain/refinements.ts';
import {
  BOARD_OPTIONS,
  hasFilters,
  NO_FILTERS,
  type ResultFilters,
  STAR_OPTIONS,
} from '../../../domain/result-filters.ts';
import { useSearchContext } from '../../search/search-context.tsx';
import { Modal } from '../../ui/Modal.tsx';
import { ChoiceGroup, withChosen } from './ChoiceGroup.tsx';
import { filterGroups } from './filter-groups.ts';
import { PriceGroup } from './PriceGroup.tsx';
import { useFilterNames } from './use-filter-names.ts';
import './filter-sheet.css';

interface FilterSheetProps {
  /** The number of results with the current filters; null while it is unknown. */
  found: number | null;
  onClose: () => void;
}

type OnFilter = (filters: Partial<ResultFilters>) => void;

/** The filters. A change applies immediately; all changes of one visit are one step for Back. */
export function FilterSheet({ found, onClose }: FilterSheetProps) {
  const { state, config, showFiltered } = useSearchContext();
  const isChanged = useRef(false);
  const onFilter: OnFilter = (filters) => {
    showFiltered(filters, { isSameStep: isChanged.current });
    isChanged.current = true;
  };
  return (
    <Modal title="Filters" size="middle" onClose={onClose}>
      {config.facets ? <CountedGroups onFilter={onFilter} /> : <SpecifiedGroups onFilter={onFilter} />}
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
    if (group.control === 'text') return <TextGroup key={key} {...common} />;
    if (group.control === 'choices')
      return <ChoiceGroup key={key} {...common} any={group.any} options={group.options} />;
    return <PriceGroup key={key} {...common} prices={group.prices} people={party.adults + party.children} />;
  });
}

interface TextGroupProps {
  legend: string;
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}

/** A text field. Applies on Enter, and when the visitor leaves the field. */
function TextGroup({ legend, chosen: [value = ''], onChange }: TextGroupProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(value);
  useEffect(() => {
    // What somebody is typing is not replaced.
    if (document.activeElement !== input.current) setText(value);
  }, [value]);
  const apply = () => {
    if (text.trim() !== value) onChange([text.trim()].filter(Boolean));
  };
  return (
    <div className="filter-group">
      <label htmlFor={id}>{legend}</label>
      <input
        ref={input}
        id={id}
        type="search"
        value={text}
        maxLength={100}
        onChange={({ target }) => setText(target.value)}
        onBlur={apply}
        onKeyDown={({ key }) => key === 'Enter' && apply()}
      />
    </div>
  );
}

function foundWords(found: number | null): string {
  if (found === null) return 'Searching...';
  return `Show ${found} ${found === 1 ? 'result' : 'results'}`;
}

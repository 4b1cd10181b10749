import { useEffect, useEffectEvent, useId } from 'react';
import { boardBasisWords } from '../../../domain/board-basis.ts';
import { type RefineKey, withRefine } from '../../../domain/refinements.ts';
import { BOARD_OPTIONS, hasFilters, NO_FILTERS, STAR_OPTIONS } from '../../../domain/result-filters.ts';
import { countFacets, type Facets, readFacets } from '../../search/facets.ts';
import { useSearchContext } from '../../search/search-context.tsx';
import { Modal } from '../../ui/Modal.tsx';
import { ChoiceGroup, withChosen } from './ChoiceGroup.tsx';
import { facetGroups } from './facet-groups.ts';
import { PriceGroup } from './PriceGroup.tsx';
import './filter-sheet.css';

// Loaded as one file, with the first filter or when the sheet is opened.
export { FilterChips } from './FilterChips.tsx';

interface FilterSheetProps {
  /** The number of results with the current filters; null while it is unknown. */
  found: number | null;
  onClose: () => void;
}

/** The filters. A change applies immediately. */
export function FilterSheet({ found, onClose }: FilterSheetProps) {
  const { state, showFiltered } = useSearchContext();
  const { results, refine } = state;
  const facets = readFacets(results?.facets);
  useCloseOnNavigation(onClose);
  return (
    <Modal title="Filters" size="middle" onClose={onClose}>
      {facets && <FacetGroups facets={facets} />}
      {results?.unfiltered && (
        <>
          <SpecifiedGroups />
          {results.hasMoreData && (
            <p className="filter-note">{`The filters below cover only the ${results.unfiltered.packages.length} results loaded so far.`}</p>
          )}
          <FacetGroups
            facets={{ ...countFacets(results.unfiltered.packages, refine), boards: [], stars: [] }}
          />
        </>
      )}
      <div className="filter-actions">
        {hasFilters(state) && (
          <button type="button" className="button-quiet" onClick={() => showFiltered(NO_FILTERS)}>
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
function SpecifiedGroups() {
  const { state, showFiltered } = useSearchContext();
  const { boardBasis, starRating } = state;
  return (
    <>
      <ChoiceGroup
        legend="Board"
        any="Any board"
        options={withChosen(BOARD_OPTIONS, boardBasis, boardBasisWords)}
        chosen={[boardBasis].filter(Boolean)}
        onChange={([chosen = '']) => showFiltered({ boardBasis: chosen })}
      />
      <ChoiceGroup
        legend="Stars"
        any="Any stars"
        options={withChosen(STAR_OPTIONS, starRating, (stars) => `${stars} star`)}
        chosen={[starRating].filter(Boolean)}
        onChange={([chosen = '']) => showFiltered({ starRating: chosen })}
      />
    </>
  );
}

/** The filters whose options are counted. */
function FacetGroups({ facets }: { facets: Facets }) {
  const { state, showFiltered } = useSearchContext();
  const { airports, party, refine } = state;
  const choose = (key: RefineKey) => (values: string[]) =>
    showFiltered({ refine: withRefine(refine, key, values) });
  return (
    <>
      {(facets.prices.length > 1 || refine.price !== undefined) && (
        <PriceGroup
          prices={facets.prices}
          chosen={refine.price?.[0]}
          people={party.adults + party.children}
          onChange={choose('price')}
        />
      )}
      {facetGroups(facets, airports.status === 'stored' ? airports.value : []).map(
        ({ key, legend, any, options }) => (
          <ChoiceGroup
            key={key}
            legend={legend}
            any={any}
            options={options}
            chosen={refine[key] ?? []}
            onChange={choose(key)}
          />
        ),
      )}
      <HotelName key={refine.hotel?.[0]} value={refine.hotel?.[0] ?? ''} onChange={choose('hotel')} />
    </>
  );
}

/** A text field for the name of a hotel. Applies on Enter, and when the visitor leaves the field. */
function HotelName({ value, onChange }: { value: string; onChange: (values: string[]) => void }) {
  const id = useId();
  const apply = (text: string) => {
    if (text.trim() !== value) onChange([text.trim()].filter(Boolean));
  };
  return (
    <div className="filter-group">
      <label htmlFor={id}>Hotel name</label>
      <input
        id={id}
        type="search"
        defaultValue={value}
        maxLength={100}
        onBlur={({ target }) => apply(target.value)}
        onKeyDown={({ key, currentTarget }) => key === 'Enter' && apply(currentTarget.value)}
      />
    </div>
  );
}

function foundWords(found: number | null): string {
  if (found === null) return 'Searching...';
  return `Show ${found} ${found === 1 ? 'result' : 'results'}`;
}

/** Closes on Back: each change has its own history entry, so the dialog's entry is gone after the first. */
function useCloseOnNavigation(onClose: () => void): void {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    const listen = () => close();
    addEventListener('popstate', listen);
    return () => removeEventListener('popstate', listen);
  }, []);
}

import { useId } from 'react';
import { boardBasisWords } from '../../domain/board-basis.ts';
import { BOARD_OPTIONS, hasFilters, NO_FILTERS, STAR_OPTIONS } from '../../domain/result-filters.ts';
import { useSearchContext } from '../search/search-context.tsx';
import { ShareSearch } from './ShareSearch.tsx';

/** The server-side filters (Section 7) and the share button. */
export function ResultsTools() {
  const { state, showFiltered } = useSearchContext();
  const { boardBasis, starRating } = state;
  return (
    <div className="results-tools">
      <FilterSelect
        label="Board"
        any="Any board"
        choices={withChosen(BOARD_OPTIONS, boardBasis, boardBasisWords)}
        value={boardBasis}
        onChange={(chosen) => showFiltered({ boardBasis: chosen })}
      />
      <FilterSelect
        label="Stars"
        any="Any stars"
        choices={withChosen(STAR_OPTIONS, starRating, (stars) => `${stars} star`)}
        value={starRating}
        onChange={(chosen) => showFiltered({ starRating: chosen })}
      />
      {hasFilters(state) && (
        <button type="button" className="chip-button" onClick={() => showFiltered(NO_FILTERS)}>
          Clear filters
        </button>
      )}
      <ShareSearch />
    </div>
  );
}

interface FilterSelectProps {
  label: string;
  /** The label of the option without a filter. */
  any: string;
  choices: readonly { value: string; label: string }[];
  value: string;
  onChange: (value: string) => void;
}

function FilterSelect({ label, any, choices, value, onChange }: FilterSelectProps) {
  const id = useId();
  return (
    <div className="results-filter">
      <label htmlFor={id} className="visually-hidden">
        {label}
      </label>
      <select
        id={id}
        data-chosen={value !== '' || undefined}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      >
        <option value="">{any}</option>
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    </div>
  );
}

/** Adds the chosen value if it comes from a URL and is not offered. */
function withChosen(
  choices: readonly { value: string; label: string }[],
  chosen: string,
  words: (value: string) => string,
) {
  if (chosen === '' || choices.some(({ value }) => value === chosen)) return choices;
  return [...choices, { value: chosen, label: words(chosen) }];
}

import { useId, useState } from 'react';

export interface Option {
  value: string;
  label: string;
  /** The number of results with this option; undefined if unknown. */
  count?: number;
}

/** Of a longer list, as many options are shown at first. */
const MAX_SHOWN = 8;

interface ChoiceGroupProps {
  legend: string;
  /** The label of the choice without a filter; undefined: several can be chosen. */
  any?: string | undefined;
  options: readonly Option[];
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}

/** With `any`, allows one choice; otherwise several. An empty `chosen` means no filter. */
export function ChoiceGroup({ legend, any, options, chosen, onChange }: ChoiceGroupProps) {
  const name = useId();
  const isSingle = any !== undefined;
  const [isWhole, setWhole] = useState(false);
  const isLong = options.length > MAX_SHOWN + 1;
  const shown = options.filter(
    ({ value }, nth) => isWhole || !isLong || nth < MAX_SHOWN || chosen.includes(value),
  );
  return (
    <fieldset className="filter-group">
      <legend>{legend}</legend>
      {isSingle && (
        <label className="filter-option">
          <input type="radio" name={name} checked={chosen.length === 0} onChange={() => onChange([])} />
          <span>{any}</span>
        </label>
      )}
      {shown.map(({ value, label, count }) => (
        <label key={value} className="filter-option">
          <input
            type={isSingle ? 'radio' : 'checkbox'}
            name={name}
            checked={chosen.includes(value)}
            disabled={count === 0 && !chosen.includes(value)}
            onChange={({ target }) => {
              const others = isSingle ? [] : chosen.filter((each) => each !== value);
              onChange(target.checked ? [...others, value] : others);
            }}
          />
          <span>{label}</span>
          {count !== undefined && <span className="filter-count">{` (${count})`}</span>}
        </label>
      ))}
      {isLong && (
        <button
          type="button"
          className="link-button"
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          {`All ${options.length}`}
          <span className="visually-hidden">{` of ${legend}`}</span>
        </button>
      )}
    </fieldset>
  );
}

/** Adds the chosen value if it comes from a URL and is not offered. */
export function withChosen(
  options: readonly Option[],
  chosen: string,
  words: (value: string) => string,
): readonly Option[] {
  if (chosen === '' || options.some(({ value }) => value === chosen)) return options;
  return [...options, { value: chosen, label: words(chosen) }];
}

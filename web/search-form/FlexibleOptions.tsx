import { useEffect, useId, useRef } from 'react';
import type { DestinationIndex } from '../../domain/destination-index.ts';
import { destinationLabel } from '../../domain/destination-index.ts';
import { DURATIONS } from '../../domain/duration.ts';
import {
  daysWords,
  FLEXIBLE_DAYS,
  type Flexibility,
  MAX_FURTHER_PLACES,
  nightsWords,
} from '../../domain/flexibility.ts';
import type { SearchFormValue } from '../search/search-form-value.ts';
import type { LoadState } from '../ui/load-state.ts';
import type { DestinationField } from './DestinationField.tsx';
import './flexible-options.css';

export interface FlexibleOptionsProps {
  /** Given, because it's loaded already. */
  Field: typeof DestinationField;
  destinations: LoadState<DestinationIndex>;
  onRetry: () => void;
  value: SearchFormValue;
  onChange: (flexibility: Flexibility) => void;
  disabled: boolean;
}

/** Days either side, a range of nights and further places. Takes the focus when it opens. */
export function FlexibleOptions(props: FlexibleOptionsProps) {
  const { Field, destinations, onRetry, value, onChange, disabled } = props;
  const { flexibility, duration } = value;
  const { days, maxNights, places } = flexibility;
  const id = useId();
  const first = useRef<HTMLSelectElement>(null);
  useEffect(() => first.current?.focus(), []);
  const change = (changes: Partial<Flexibility>) => onChange({ ...flexibility, ...changes });
  const longer = DURATIONS.filter((nights) => nights > duration);
  const fields = [...places, null].slice(0, MAX_FURTHER_PLACES);
  return (
    <div className="flexible-options">
      <p className="quiet-choice">
        <label htmlFor={`${id}-days`}>Departure</label>
        <select
          ref={first}
          id={`${id}-days`}
          value={days}
          disabled={disabled}
          onChange={({ currentTarget }) => change({ days: Number(currentTarget.value) })}
        >
          {[0, ...FLEXIBLE_DAYS].map((each) => (
            <option key={each} value={each}>
              {each === 0 ? 'That day only' : daysWords({ days: each })}
            </option>
          ))}
        </select>
      </p>
      {longer.length > 0 && (
        <p className="quiet-choice">
          <label htmlFor={`${id}-nights`}>Nights</label>
          <select
            id={`${id}-nights`}
            value={longer.find((nights) => nights === maxNights) ?? ''}
            disabled={disabled}
            onChange={({ currentTarget }) => change({ maxNights: Number(currentTarget.value) || null })}
          >
            <option value="">{`${duration} only`}</option>
            {longer.map((nights) => (
              <option key={nights} value={nights}>
                {nightsWords(duration, { maxNights: nights })}
              </option>
            ))}
          </select>
        </p>
      )}
      <div className="further-places">
        {fields.map((place, nth) => (
          <Field
            // biome-ignore lint/suspicious/noArrayIndexKey: a field keeps the focus when its place is chosen.
            key={nth}
            label="Or another place"
            list={destinations}
            value={place && { label: destinationLabel(place), tuple: place }}
            onChange={(chosen) =>
              change({
                places: fields
                  .map((each, at) => (at === nth ? chosen?.tuple : each))
                  .filter((each) => !!each),
              })
            }
            onRetry={onRetry}
            disabled={disabled}
          />
        ))}
      </div>
    </div>
  );
}

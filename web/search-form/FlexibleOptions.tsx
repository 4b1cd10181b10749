import { type ComponentType, useEffect, useRef } from 'react';
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
import { LabelledSelect } from '../ui/LabelledSelect.tsx';
import type { DestinationFieldProps } from './destination-field-props.ts';
import './flexible-options.css';

interface FlexibleOptionsProps extends Pick<DestinationFieldProps, 'list' | 'onRetry' | 'disabled'> {
  /** Passed in, because it's already loaded. */
  Field: ComponentType<DestinationFieldProps>;
  value: SearchFormValue;
  onChange: (flexibility: Flexibility) => void;
}

/** Days either side, a range of nights and further places. Takes the focus when it opens. */
export function FlexibleOptions({ Field, value, onChange, ...field }: FlexibleOptionsProps) {
  const { flexibility, duration } = value;
  const { days, maxNights, places } = flexibility;
  const { disabled } = field;
  const all = useRef<HTMLDivElement>(null);
  useEffect(() => all.current?.querySelector('select')?.focus(), []);
  const change = (changes: Partial<Flexibility>) => onChange({ ...flexibility, ...changes });
  const longer = DURATIONS.filter((nights) => nights > duration);
  const fields = [...places, null].slice(0, MAX_FURTHER_PLACES);
  return (
    <div ref={all} className="flexible-options">
      <LabelledSelect
        label="Departure"
        value={days}
        options={[
          [0, 'That day only'],
          ...FLEXIBLE_DAYS.map((each) => [each, daysWords({ days: each })] as const),
        ]}
        onChange={(chosen) => change({ days: chosen })}
        disabled={disabled}
      />
      {longer.length > 0 && (
        <LabelledSelect
          label="Nights"
          value={longer.find((nights) => nights === maxNights) ?? 0}
          options={[
            [0, `${duration} only`],
            ...longer.map((nights) => [nights, nightsWords(duration, { maxNights: nights })] as const),
          ]}
          onChange={(chosen) => change({ maxNights: chosen || null })}
          disabled={disabled}
        />
      )}
      <div className="further-places">
        {fields.map((place, nth) => (
          <Field
            // biome-ignore lint/suspicious/noArrayIndexKey: a field keeps the focus when its place is chosen.
            key={nth}
            label="Or another place"
            value={place && { label: destinationLabel(place), tuple: place }}
            onChange={(chosen) =>
              change({
                places: fields
                  .map((each, at) => (at === nth ? chosen?.tuple : each))
                  .filter((each) => !!each),
              })
            }
            {...field}
          />
        ))}
      </div>
    </div>
  );
}

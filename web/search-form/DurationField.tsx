import { useId } from 'react';
import { DURATIONS, type Duration, parseDuration } from '../../domain/duration.ts';
import { Field } from '../ui/Field.tsx';

export interface DurationFieldProps {
  value: Duration;
  onChange: (duration: Duration) => void;
  disabled: boolean;
}

/** 'How long': 4, 7, 10 or 14 nights (Section 2). */
export function DurationField({ value, onChange, disabled }: DurationFieldProps) {
  const id = useId();
  return (
    <Field id={id} label="How long" icon="moon" disabled={disabled}>
      <select
        id={id}
        value={value}
        disabled={disabled}
        onChange={(event) => {
          const duration = parseDuration(event.currentTarget.value);
          if (duration !== null) onChange(duration);
        }}
      >
        {DURATIONS.map((nights) => (
          <option key={nights} value={nights}>
            {nights} nights
          </option>
        ))}
      </select>
    </Field>
  );
}

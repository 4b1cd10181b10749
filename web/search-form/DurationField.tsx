import { useId } from 'react';
import { DURATIONS, type Duration, parseDuration } from '../../domain/duration.ts';
import { Field } from '../ui/Field.tsx';
import { useInputBeforeHydration } from '../ui/use-input-before-hydration.ts';

export interface DurationFieldProps {
  value: Duration;
  onChange: (duration: Duration) => void;
  disabled: boolean;
}

/** 'How long': 4, 7, 10 or 14 nights (Section 2). */
export function DurationField({ value, onChange, disabled }: DurationFieldProps) {
  const id = useId();
  function choose(nights: string) {
    const duration = parseDuration(nights);
    if (duration !== null) onChange(duration);
  }
  useInputBeforeHydration(id, String(value), choose);
  return (
    <Field id={id} label="How long" icon="moon" disabled={disabled}>
      <select
        id={id}
        value={value}
        disabled={disabled}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        {DURATIONS.map((nights) => (
          <option key={nights} value={nights}>
            {`${nights} nights`}
          </option>
        ))}
      </select>
    </Field>
  );
}

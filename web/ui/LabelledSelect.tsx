import { useId } from 'react';

interface LabelledSelectProps<Value extends string | number> {
  label: string;
  value: Value;
  options: readonly (readonly [value: Value, words: string])[];
  onChange: (value: Value) => void;
  disabled?: boolean;
  className?: string;
}

/** A labelled choice, in quiet type by default. */
export function LabelledSelect<Value extends string | number>(props: LabelledSelectProps<Value>) {
  const { label, value, options, onChange, disabled = false, className = 'quiet-choice' } = props;
  const id = useId();
  return (
    <p className={className}>
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={value}
        disabled={disabled}
        onChange={({ currentTarget }) => {
          const chosen = options.find(([each]) => String(each) === currentTarget.value);
          if (chosen) onChange(chosen[0]);
        }}
      >
        {options.map(([each, words]) => (
          <option key={each} value={each}>
            {words}
          </option>
        ))}
      </select>
    </p>
  );
}

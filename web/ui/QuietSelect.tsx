import { useId } from 'react';

interface QuietSelectProps<Value extends string | number> {
  label: string;
  value: Value;
  options: readonly (readonly [value: Value, words: string])[];
  onChange: (value: Value) => void;
  disabled: boolean;
}

/** A labelled choice in quiet type. */
export function QuietSelect<Value extends string | number>(props: QuietSelectProps<Value>) {
  const { label, value, options, onChange, disabled } = props;
  const id = useId();
  return (
    <p className="quiet-choice">
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

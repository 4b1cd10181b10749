import { useId } from 'react';

interface PoundsFieldProps {
  isBooked: boolean;
  value: string;
  onChange(value: string): void;
}

/** The limit of a watched search, or what was paid for it. */
export function PoundsField({ isBooked, value, onChange }: PoundsFieldProps) {
  const id = useId();
  return (
    <div className="alert-form">
      <label htmlFor={id}>
        {isBooked ? 'What did you pay in total? (£)' : 'Alert me when the total is at most (£)'}
      </label>
      <input
        id={id}
        inputMode="numeric"
        autoComplete="off"
        maxLength={9}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        aria-describedby={`${id}-hint`}
      />
      <p id={`${id}-hint`} className="alert-consent">
        {isBooked
          ? 'Until you leave, we’ll tell you if it falls by 5% and £25. Most providers don’t refund a fall after you’ve booked.'
          : 'Leave empty for any price.'}
      </p>
    </div>
  );
}

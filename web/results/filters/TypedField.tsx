import { useEffect, useId, useRef, useState } from 'react';

interface TypedFieldProps {
  label: string;
  type: 'search' | 'text';
  value: string;
  placeholder?: string;
  /** Applies what was typed. Returns the text to show instead, or what is wrong. */
  onApply: (text: string) => { text: string } | { error: string };
}

/** A field of the filters. Applies on Enter, and when the visitor leaves the field. */
export function TypedField({ label, type, value, placeholder, onApply }: TypedFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(value);
  const [error, setError] = useState<string | null>(null);
  useEffect(() => {
    // What somebody is typing is not replaced.
    if (document.activeElement !== input.current) setText(value);
  }, [value]);
  const apply = () => {
    const typed = text.trim();
    if (typed === value) return;
    const applied = onApply(typed);
    if ('error' in applied) setError(applied.error);
    else setText(applied.text);
  };
  return (
    <>
      <label htmlFor={id}>{label}</label>
      <input
        ref={input}
        id={id}
        type={type}
        inputMode={type === 'text' ? 'numeric' : undefined}
        autoComplete="off"
        value={text}
        placeholder={placeholder}
        maxLength={100}
        aria-invalid={error !== null}
        aria-describedby={error === null ? undefined : `${id}-error`}
        onChange={({ target }) => {
          setText(target.value);
          setError(null);
        }}
        onBlur={apply}
        onKeyDown={({ key }) => key === 'Enter' && apply()}
      />
      {error !== null && (
        <p id={`${id}-error`} className="filter-error" role="alert">
          {error}
        </p>
      )}
    </>
  );
}

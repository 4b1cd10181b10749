import { useEffect, useEffectEvent, useId, useState } from 'react';
import { WITH_CHARGES } from '../../domain/charge-words.ts';
import { readPounds } from '../../domain/money.ts';

interface PriceFieldProps {
  /** Whole pounds for the whole party; null: any price. */
  maxPounds: number | null;
  onChange: (maxPounds: number | null) => void;
}

/** Long enough to type the next digit. */
const SETTLED_MS = 400;

/** The highest total price, applied once the visitor stops typing. */
export function PriceField({ maxPounds, onChange }: PriceFieldProps) {
  const id = useId();
  const [text, setText] = useState(textOf(maxPounds));
  const isInvalid = text.trim() !== '' && readPounds(text) === null;

  const settle = useEffectEvent(() => {
    if (!isInvalid && readPounds(text) !== maxPounds) onChange(readPounds(text));
  });
  useEffect(() => {
    const timer = setTimeout(() => settle(), text === '' ? 0 : SETTLED_MS);
    return () => clearTimeout(timer);
  }, [text]);

  // Back, Forward and the suggestions of an empty list change the URL.
  const follow = useEffectEvent((current: number | null) => {
    if (readPounds(text) !== current) setText(textOf(current));
  });
  useEffect(() => follow(maxPounds), [maxPounds]);

  return (
    <p className="explore-field">
      <label htmlFor={id}>{`Price up to, ${WITH_CHARGES}`}</label>
      <span className={isInvalid ? 'explore-pounds is-invalid' : 'explore-pounds'}>
        <span aria-hidden="true">£</span>
        <input
          id={id}
          inputMode="numeric"
          autoComplete="off"
          placeholder="Any price"
          maxLength={9}
          value={text}
          aria-invalid={isInvalid}
          aria-describedby={isInvalid ? `${id}-error` : undefined}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
      </span>
      {isInvalid && (
        <span id={`${id}-error`} className="explore-field-error" role="alert">
          Enter whole pounds, such as 400
        </span>
      )}
    </p>
  );
}

function textOf(maxPounds: number | null): string {
  return maxPounds === null ? '' : String(maxPounds);
}

import { useEffect, useId, useRef } from 'react';

interface SearchFailureProps {
  /** Repeats the search. */
  onRetry: () => void;
  /** Brings the form back. */
  onChange: () => void;
}

/** The red message that replaces the form (Section 8). */
export function SearchFailure({ onRetry, onChange }: SearchFailureProps) {
  const messageId = useId();
  const button = useRef<HTMLButtonElement>(null);
  // Without this, keyboard focus would restart at the top of the page.
  useEffect(() => button.current?.focus({ preventScroll: true }), []);
  return (
    <div className="search-failure">
      <p id={messageId} role="alert">
        Failed to search holidays. Please try again.
      </p>
      <button
        ref={button}
        type="button"
        className="button-quiet"
        aria-describedby={messageId}
        onClick={onRetry}
      >
        Try again
      </button>
      <button type="button" className="link-button" onClick={onChange}>
        Change the search
      </button>
    </div>
  );
}

import { useEffect, useId, useRef } from 'react';

/** The red message that replaces the form; 'Try again' restores the form. */
export function SearchFailure({ onDismiss }: { onDismiss: () => void }) {
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
        onClick={onDismiss}
      >
        Try again
      </button>
    </div>
  );
}

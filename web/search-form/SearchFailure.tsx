import { useEffect, useId, useRef } from 'react';

/** The red message that stands in the form's place; 'Try again' brings the form back as it was (ruling 5). */
export function SearchFailure({ onDismiss }: { onDismiss: () => void }) {
  const messageId = useId();
  const button = useRef<HTMLButtonElement>(null);
  // The form that had focus is gone; without this a keyboard would start again at the top of the page.
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

interface RetryMessageProps {
  className?: string;
  /** What could not be loaded. */
  words: string;
  onRetry: () => void;
}

/** The message that something could not be loaded, with a button to load it again. */
export function RetryMessage({ className, words, onRetry }: RetryMessageProps) {
  return (
    <p className={className} role="alert">
      <span>{`${words} `}</span>
      <button type="button" className="link-button" onClick={onRetry}>
        Try again
      </button>
    </p>
  );
}

interface RetryMessageProps {
  className?: string;
  words: string;
  onRetry: () => void;
}

/** Says what could not be loaded, with a retry button. */
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

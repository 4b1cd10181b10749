/** The message under a field that its list could not be loaded, with a retry button (Section 8). */
export function ListError({ message, onRetry }: { message: string; onRetry: () => void }) {
  return (
    <p className="list-error" role="alert">
      {message}{' '}
      <button type="button" className="link-button" onClick={onRetry}>
        Try again
      </button>
    </p>
  );
}

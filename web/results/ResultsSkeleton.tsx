/** Placeholders as large as cards, to avoid a layout shift when the results arrive. */
export function ResultsSkeleton({ cards }: { cards: number }) {
  return (
    <div className="results-list" aria-hidden="true">
      {Array.from({ length: cards }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the cards are alike and never change places.
        <div key={index} className="holiday-card is-skeleton">
          <div className="holiday-image" />
          <div className="holiday-facts">
            <span className="skeleton-line is-title" />
            <span className="skeleton-line" />
            <span className="skeleton-line" />
            <span className="skeleton-line is-short" />
          </div>
          <div className="holiday-offer">
            <span className="skeleton-line is-price" />
            <span className="skeleton-line is-button" />
            <span className="skeleton-line is-button" />
          </div>
          <div className="price-analysis" />
        </div>
      ))}
    </div>
  );
}

interface ResultsSkeletonProps {
  cards: number;
  hasDates: boolean;
}

/** Placeholders with the heights of filters, nearby dates and cards. */
export function ResultsSkeleton({ cards, hasDates }: ResultsSkeletonProps) {
  return (
    <>
      <div className="results-bar" />
      <div className="results-order" />
      {hasDates && <div className="cheapest-dates" />}
      <div className="results-list" aria-hidden="true">
        {Array.from({ length: cards }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the placeholders are identical.
          <div key={index} className="holiday-card is-skeleton">
            <div className="holiday-image" />
            <div className="skeleton-facts">
              <span className="skeleton-line is-title" />
              <span className="skeleton-line" />
              <span className="skeleton-line is-short" />
            </div>
            <div className="skeleton-offer">
              <span className="skeleton-line is-price" />
              <span className="skeleton-line is-button" />
            </div>
            <div className="price-analysis" />
          </div>
        ))}
      </div>
    </>
  );
}

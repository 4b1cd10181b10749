import type { ReactNode, Ref } from 'react';
import { type SortBy, sortLabel } from '../../domain/sort-by.ts';
import type { ResultsView } from './results-view.ts';

const EMPTY_MESSAGE =
  'No holidays found matching your search criteria. Try adjusting your filters or search for different dates.';

interface ResultsHeadlineProps {
  view: ResultsView;
  sortBy: SortBy;
  /** Why nothing can be found, if the device's clock is wrong. */
  clockNote: string | null;
  /** Gets the focus when new results arrive. */
  headlineRef: Ref<HTMLHeadingElement>;
  /** Repeats a search that failed. */
  onRetry: () => void;
  /** Further notes about the search. */
  children: ReactNode;
}

/** The state of the results, announced politely, or assertively for failures. */
export function ResultsHeadline(props: ResultsHeadlineProps) {
  const { view, sortBy, clockNote, headlineRef, onRetry, children } = props;
  const hasFailed = view.kind === 'failed';
  const isLoud = hasFailed && !view.isQuiet;
  const words = (
    <>
      <h2 ref={headlineRef} tabIndex={-1} className={`results-headline is-${view.kind}`}>
        {headlineOf(view, clockNote)}
      </h2>
      {hasFailed && (
        <p>
          {view.page === null
            ? 'Your search is saved in this page’s address.'
            : 'These are the results from before your change.'}
        </p>
      )}
      {children}
    </>
  );
  return (
    <div className={hasFailed ? 'results-announcement is-failed' : 'results-announcement'}>
      <div role="status" className={hasFailed && !isLoud ? 'results-failure is-quiet' : undefined}>
        {!isLoud && words}
        {view.kind === 'loaded' && <p className="visually-hidden">{`Order: ${sortLabel(sortBy)}`}</p>}
      </div>
      {isLoud && (
        <div role="alert" className="results-failure">
          {words}
          <button type="button" className="button-quiet" onClick={onRetry}>
            Try again
          </button>
        </div>
      )}
    </div>
  );
}

function headlineOf(view: ResultsView, instead: string | null): string {
  switch (view.kind) {
    case 'loading':
      return 'Loading results...';
    case 'failed':
      return view.message;
    case 'unread':
      return instead ?? 'We haven’t run this search yet';
    case 'stopped':
      return 'Search stopped. Change anything above, then search again.';
    case 'empty':
      return instead ?? EMPTY_MESSAGE;
    case 'loaded':
      return `Showing ${view.page.from} to ${view.page.to} of ${view.page.totalResults} results`;
  }
}

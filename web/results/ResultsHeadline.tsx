import type { Ref } from 'react';
import { SORT_OPTIONS, type SortBy } from '../../domain/sort-by.ts';
import type { ResultsView } from './results-view.ts';

const EMPTY_MESSAGE =
  'No holidays found matching your search criteria. Try adjusting your filters or search for different dates.';

interface ResultsHeadlineProps {
  view: ResultsView;
  sortBy: SortBy;
  /** Where focus goes when there is something new to read. */
  headlineRef: Ref<HTMLHeadingElement>;
}

/** What there is, in one line, spoken politely as it changes; a failure is spoken at once. */
export function ResultsHeadline({ view, sortBy, headlineRef }: ResultsHeadlineProps) {
  const headline = (
    <h2 ref={headlineRef} tabIndex={-1} className={`results-headline is-${view.kind}`}>
      {headlineOf(view)}
    </h2>
  );
  return (
    <div className="results-announcement">
      <div role="status">
        {view.kind !== 'failed' && headline}
        {view.kind === 'loaded' && <p className="visually-hidden">Order: {labelOf(sortBy)}</p>}
      </div>
      {view.kind === 'failed' && (
        <div role="alert" className="results-failure">
          {headline}
          <p>Nothing is lost: your search is kept, here and in this page's address.</p>
        </div>
      )}
    </div>
  );
}

function labelOf(sortBy: SortBy): string | undefined {
  return SORT_OPTIONS.find(({ value }) => value === sortBy)?.label;
}

function headlineOf(view: ResultsView): string {
  switch (view.kind) {
    case 'loading':
      return 'Loading results...';
    case 'failed':
      return view.message;
    case 'stopped':
      return 'Search stopped. Change anything above, then search again.';
    case 'empty':
      return EMPTY_MESSAGE;
    case 'loaded':
      return `Showing ${view.page.from} to ${view.page.to} of ${view.page.totalResults} results`;
  }
}

import { useEffect } from 'react';
import type { ResultsView } from '../results/results-view.ts';
import type { Preferences } from '../search/search-state.ts';
import { publishPageData } from './publish-page-data.ts';

/** Publishes the page data after each paint that changes what is shown. */
export function usePublishedPageData(view: ResultsView, preferences: Preferences, brandCode: string): void {
  const page = 'page' in view ? view.page : null;
  const { sortBy, perPage } = preferences;
  useEffect(() => {
    if (page === null) return;
    publishPageData(window, {
      page,
      perPage,
      sortBy,
      allResultsCount: page.totalResults,
      brandCode,
      lastUpdated: new Date().toISOString(),
    });
  }, [page, perPage, sortBy, brandCode]);
}

import { useEffect } from 'react';
import type { PageConfig } from '../config/page-config.ts';
import type { ResultsView } from '../results/results-view.ts';
import type { Preferences } from '../search/search-state.ts';
import { loadPriceAnalysisWidget } from './load-widget.ts';
import { publishPageData } from './publish-page-data.ts';

/** Publishes the page data after each paint that changes what is shown, then sees to the widget that reads them. */
export function usePublishedPageData(
  view: ResultsView,
  preferences: Preferences,
  { brandCode, priceAnalysisUrl }: Pick<PageConfig, 'brandCode' | 'priceAnalysisUrl'>,
): void {
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
    loadPriceAnalysisWidget(priceAnalysisUrl);
  }, [page, perPage, sortBy, brandCode, priceAnalysisUrl]);
}

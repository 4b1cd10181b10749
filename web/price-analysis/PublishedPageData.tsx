import { useEffect, useLayoutEffect } from 'react';
import type { Page } from '../../domain/sort-and-page.ts';
import type { PageConfig } from '../config/page-config.ts';
import type { Preferences } from '../search/search-state.ts';
import { keepRoomForWidget, loadPriceAnalysisWidget } from './load-widget.ts';
import { publishPageData } from './publish-page-data.ts';

interface PublishedPageDataProps {
  page: Page;
  preferences: Preferences;
  config: Pick<PageConfig, 'brandCode' | 'priceAnalysisUrl'>;
}

/** Publishes the page data after each paint that changes what is shown, then sees to the widget that reads them. */
export function PublishedPageData({ page, preferences, config }: PublishedPageDataProps) {
  const { sortBy, perPage } = preferences;
  const { brandCode, priceAnalysisUrl } = config;
  useLayoutEffect(() => keepRoomForWidget(priceAnalysisUrl), [priceAnalysisUrl]);
  useEffect(() => {
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
  return null;
}

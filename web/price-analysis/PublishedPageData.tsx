import { useEffect, useEffectEvent, useLayoutEffect } from 'react';
import { type Page, pageOf } from '../../domain/sort-and-page.ts';
import type { SortBy } from '../../domain/sort-by.ts';
import type { PageConfig } from '../config/page-config.ts';
import { loadPriceAnalysisWidget, reserveRoomForWidget } from './load-widget.ts';
import { publishPageData } from './publish-page-data.ts';

interface PublishedPageDataProps {
  /** Null while no results are shown: the published data are then empty. */
  page: Page | null;
  sortBy: SortBy;
  perPage: number;
  config: Pick<PageConfig, 'brandCode' | 'priceAnalysisUrl'>;
}

const NOTHING_SHOWN = pageOf([], 1, 1);

/** Publishes the shown results after each change, and loads the widget that reads them. */
export function PublishedPageData({ page, sortBy, perPage, config }: PublishedPageDataProps) {
  const { brandCode, priceAnalysisUrl } = config;
  const shown = page ?? NOTHING_SHOWN;
  useLayoutEffect(() => reserveRoomForWidget(priceAnalysisUrl), [priceAnalysisUrl]);
  useEffect(() => {
    publishPageData(shown, { sortBy, perPage, brandCode });
    if (shown.totalResults > 0) loadPriceAnalysisWidget(priceAnalysisUrl);
  }, [shown, perPage, sortBy, brandCode, priceAnalysisUrl]);

  const leave = useEffectEvent(() => publishPageData(NOTHING_SHOWN, { sortBy, perPage, brandCode }));
  useEffect(() => () => leave(), []);
  return null;
}

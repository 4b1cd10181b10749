import { buildPublishedPageData, type PublishedPageData } from '../../domain/published-page-data.ts';
import type { Page } from '../../domain/sort-and-page.ts';
import type { SortBy } from '../../domain/sort-by.ts';

/** The event that widgets listen to, sent after the data are set. */
const PAGE_DATA_EVENT = 'holidaypagedata';

declare global {
  interface Window {
    holidayPageData?: PublishedPageData;
  }
}

/** Publishes the shown results as `window.holidayPageData`. A failure only logs a warning (Section 3). */
export function publishPageData(
  page: Page,
  settings: { sortBy: SortBy; perPage: number; brandCode: string },
): void {
  try {
    const lastUpdated = new Date().toISOString();
    const allResultsCount = page.totalResults;
    window.holidayPageData = buildPublishedPageData({ page, ...settings, allResultsCount, lastUpdated });
    window.dispatchEvent(new Event(PAGE_DATA_EVENT));
  } catch (error) {
    console.warn('The page data for the price analysis could not be published.', error);
  }
}

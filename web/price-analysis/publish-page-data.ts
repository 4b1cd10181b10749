import { buildPublishedPageData, type PublishedPageData } from '../../domain/published-page-data.ts';

/** The event that widgets listen to, sent after the data are set (ruling 16). */
export const PAGE_DATA_EVENT = 'holidaypagedata';

declare global {
  interface Window {
    holidayPageData?: PublishedPageData;
  }
}

/** Publishes the shown results as `window.holidayPageData`. A failure only logs a warning (Section 3). */
export function publishPageData(
  target: Pick<Window, 'holidayPageData' | 'dispatchEvent'>,
  input: Parameters<typeof buildPublishedPageData>[0],
): void {
  try {
    target.holidayPageData = buildPublishedPageData(input);
    target.dispatchEvent(new Event(PAGE_DATA_EVENT));
  } catch (error) {
    console.warn('The page data for the price analysis could not be published.', error);
  }
}

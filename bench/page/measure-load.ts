import type { Browser } from '@playwright/test';
import { openSlowPhone } from './slow-phone.ts';
import { blockingTime, longestTask, waitUntilQuiet } from './watch-page.ts';

/** Measurements of a cold load of the front page, in milliseconds and compressed bytes. */
export interface Load {
  firstPaint: number;
  largestPaint: number;
  largestElement: string;
  blocking: number;
  longestTask: number;
  layoutShift: number;
  scriptBytes: number;
}

/** Loads a URL on a slow phone over slow 4G, then waits until the page is idle. */
export async function measureLoad(browser: Browser, url: string): Promise<Load> {
  const page = await openSlowPhone(browser, 'slow 4G');
  await page.goto(url, { waitUntil: 'networkidle' });
  await waitUntilQuiet(page, 1_000);
  const noted = await page.evaluate(() => window.noted);
  const scriptBytes = await page.evaluate(() =>
    performance
      .getEntries()
      .filter((entry) => entry instanceof PerformanceResourceTiming)
      .filter(({ name }) => new URL(name).pathname.endsWith('.js'))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
  );
  await page.context().close();
  return {
    firstPaint: noted.firstPaint,
    largestPaint: noted.largestPaint,
    largestElement: noted.largestElement,
    blocking: blockingTime(noted),
    longestTask: longestTask(noted),
    layoutShift: noted.layoutShift,
    scriptBytes,
  };
}

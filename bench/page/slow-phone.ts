import type { Browser, Page } from '@playwright/test';
import { watchPage } from './watch-page.ts';

/** Lighthouse's CPU slowdown for a mid-range phone. */
const CPU_SLOWDOWN = 4;

/**
 * Lighthouse's 'Slow 4G': 1.6 Mbit/s at 150 ms. To simulate handshakes, each request waits for 3.75 round
 * trips and a tenth of the bandwidth is lost.
 */
const SLOW_4G = {
  offline: false,
  latency: 150 * 3.75,
  downloadThroughput: (1_638.4 * 1_024 * 0.9) / 8,
  uploadThroughput: (750 * 1_024 * 0.9) / 8,
};

/** Opens a new page on a slow phone with an empty cache. */
export async function openSlowPhone(browser: Browser, network: 'slow 4G' | 'fast'): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 412, height: 823 },
    deviceScaleFactor: 1.75,
    isMobile: true,
    hasTouch: true,
    locale: 'en-GB',
    timezoneId: 'Europe/London',
  });
  const page = await context.newPage();
  await watchPage(page);
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  if (network === 'slow 4G') await session.send('Network.emulateNetworkConditions', SLOW_4G);
  return page;
}

import type { Page } from '@playwright/test';

/** What the page recorded, in milliseconds since navigation. The layout shift has no unit. */
export interface Noted {
  firstPaint: number;
  largestPaint: number;
  /** The element that caused the largest paint. */
  largestElement: string;
  layoutShift: number;
  /** The longest time from an interaction to the next paint. */
  interaction: number;
  longTasks: { at: number; ms: number }[];
  /** When the page last recorded something. */
  latestAt: number;
}

declare global {
  interface Window {
    noted: Noted;
  }
}

interface LayoutShift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
}

/** Records paints, layout shifts and long tasks of every page that `page` opens. */
export async function watchPage(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const noted: Noted = {
      firstPaint: 0,
      largestPaint: 0,
      largestElement: '',
      layoutShift: 0,
      interaction: 0,
      longTasks: [],
      latestAt: 0,
    };
    window.noted = noted;
    const observe = (type: string, note: (entry: PerformanceEntry) => void) =>
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) note(entry);
        noted.latestAt = performance.now();
      }).observe({ type, buffered: true, durationThreshold: 16 } as PerformanceObserverInit);
    observe('paint', ({ name, startTime }) => {
      if (name === 'first-contentful-paint') noted.firstPaint = startTime;
    });
    observe('largest-contentful-paint', (entry) => {
      const { startTime, element } = entry as LargestContentfulPaint;
      noted.largestPaint = startTime;
      noted.largestElement = element ? `${element.tagName.toLowerCase()}.${element.className}` : '';
    });
    observe('layout-shift', (entry) => {
      const shift = entry as LayoutShift;
      if (!shift.hadRecentInput) noted.layoutShift += shift.value;
    });
    observe('event', (entry) => {
      const { interactionId, duration } = entry as PerformanceEventTiming & { interactionId: number };
      if (interactionId > 0) noted.interaction = Math.max(noted.interaction, duration);
    });
    observe('longtask', ({ startTime, duration }) => noted.longTasks.push({ at: startTime, ms: duration }));
  });
}

/** Waits until the page has recorded nothing for as long as `quietMs`. */
export async function waitUntilQuiet(page: Page, quietMs: number): Promise<void> {
  await page.waitForFunction((ms) => performance.now() - window.noted.latestAt > ms, quietMs);
}

/** Total blocking time: the milliseconds of tasks beyond 50 each, after the first paint. */
export function blockingTime({ firstPaint, longTasks }: Noted): number {
  return longTasks.reduce((sum, { at, ms }) => sum + Math.max(0, at + ms - Math.max(at, firstPaint) - 50), 0);
}

export function longestTask({ longTasks }: Noted): number {
  return Math.max(0, ...longTasks.map(({ ms }) => ms));
}

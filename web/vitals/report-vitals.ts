import { onCLS, onFCP, onINP, onLCP, onTTFB } from 'web-vitals';
import { sendBeacon } from './send-beacon.ts';

/** Other paths are reported as '/'. */
const PAGES = ['/results', '/explore', '/alerts'];

let isReporting = false;

/**
 * Measures web vitals (docs/contracts/vitals.md) and reports them when the page is hidden or left: metric names, numbers
 * and the opened path only. Further calls do nothing.
 */
export function reportVitals(endpoint: string, openedAt: string): void {
  if (isReporting) return;
  isReporting = true;
  const page = PAGES.find((path) => path === openedAt) ?? '/';
  let unreported: { name: string; value: number }[] = [];

  function report(): void {
    if (unreported.length === 0) return;
    sendBeacon(endpoint, { page, measurements: unreported });
    unreported = [];
  }
  function take({ name, value }: { name: string; value: number }): void {
    unreported.push({ name, value });
    // The last metrics may arrive after the listener below has run.
    if (document.visibilityState === 'hidden') queueMicrotask(report);
  }

  for (const measure of [onCLS, onFCP, onINP, onLCP, onTTFB]) measure(take);
  addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') report();
  });
}

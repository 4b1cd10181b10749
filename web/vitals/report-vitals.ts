import { onCLS, onFCP, onINP, onLCP, onTTFB } from 'web-vitals';
import { PAGE_PATHS } from '../../domain/page-paths.ts';
import { sendBeacon } from '../data/request.ts';

let isReporting = false;

/**
 * Measures web vitals (docs/contracts/vitals.md) and reports them when the page is hidden or left: metric names, numbers
 * and the opened path only. Further calls do nothing.
 */
export function reportVitals(endpoint: string): void {
  if (isReporting) return;
  isReporting = true;
  // Unlike `location`, this stays when the visitor moves on within the page.
  const [opened] = performance.getEntriesByType('navigation');
  const { pathname } = new URL(opened?.name ?? location.href);
  const page = PAGE_PATHS.find((path) => path === pathname) ?? '/';
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

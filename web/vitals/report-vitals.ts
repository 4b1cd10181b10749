import { onCLS, onFCP, onINP, onLCP, onTTFB } from 'web-vitals';
import { sendBeacon } from './send-beacon.ts';

/** The known paths. Every other path counts as '/'. */
const PAGES = ['/results', '/explore', '/alerts'];

let isReporting = false;

/**
 * Measures the page's web vitals (docs/contracts/vitals.md) and reports them when the page is hidden or left. Only metric
 * names, numbers and the opened path (`openedAt`) are reported. Further calls do nothing.
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
    // The last metrics arrive as the page is hidden, possibly after this listener has run.
    if (document.visibilityState === 'hidden') queueMicrotask(report);
  }

  for (const measure of [onCLS, onFCP, onINP, onLCP, onTTFB]) measure(take);
  addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') report();
  });
}

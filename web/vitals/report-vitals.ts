import { onCLS, onFCP, onINP, onLCP, onTTFB } from 'web-vitals';
import { sendBeacon } from './send-beacon.ts';

/** The page's addresses; another one is a front page with a slip in its address. */
const PAGES = ['/results', '/alerts'];

let isReporting = false;

/**
 * Measures how the page is for this visitor (docs/contracts/vitals.md) and tells it when they leave or look away.
 * Only names and numbers are told, and which of the page's addresses was opened (`openedAt`, a path). Asked again it
 * does nothing.
 */
export function reportVitals(endpoint: string, openedAt: string): void {
  if (isReporting) return;
  isReporting = true;
  const page = PAGES.find((path) => path === openedAt) ?? '/';
  let untold: { name: string; value: number }[] = [];

  function tell(): void {
    if (untold.length === 0) return;
    sendBeacon(endpoint, { page, measurements: untold });
    untold = [];
  }
  function take({ name, value }: { name: string; value: number }): void {
    untold.push({ name, value });
    // The last ones are measured as the page is hidden, in whatever order its listeners run.
    if (document.visibilityState === 'hidden') queueMicrotask(tell);
  }

  for (const measure of [onCLS, onFCP, onINP, onLCP, onTTFB]) measure(take);
  addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') tell();
  });
}

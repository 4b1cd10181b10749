import type { Condition } from './condition.ts';
import type { ServerView } from './server-view.ts';

/** Google's limits of a good page, in seconds at the 75th percentile. */
const MAX_SECONDS: Readonly<Record<string, number>> = { LCP: 2.5, INP: 0.2 };

/** Fewer reports say little. */
const MIN_REPORTS = 100;

export const PAGE_SLOW: Condition<ServerView> = {
  id: 'page slow',
  level: 'warn',
  sentence: 'The page is slow for visitors: $',
  remedy: 'Look for a busy server, or a proxy that delays files: docs/performance.md.',
  read: ({ vitals }) =>
    vitals
      .filter(
        ({ name, measurements, p75 }) => measurements >= MIN_REPORTS && p75 > (MAX_SECONDS[name] ?? p75),
      )
      .map(({ name, page, p75 }) => ({
        subject: `${name} on ${page}`,
        detail: `up to ${p75} s at the 75th percentile`,
      })),
};

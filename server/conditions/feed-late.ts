import { type Condition, HOUR_MS, instant } from './condition.ts';
import { providerGauge, type StoreFacts } from './store-facts.ts';
import type { StoreView } from './store-view.ts';

/** If providers.json cannot be read, a feed whose last import is older than this is late. */
const UNKNOWN_LATE_MS = 48 * HOUR_MS;

export const FEED_LATE: Condition<StoreView, StoreFacts> = {
  id: 'feed late',
  level: 'warn',
  sentence: 'The feed of $ is late',
  remedy: 'See {feed status}, and {feed check $}. Old prices mislead visitors.',
  graceMs: 0,
  gauges: [
    providerGauge(
      'feed_last_import_seconds',
      'When the packages last matched the source, even if withdrawn since, as a Unix time',
      ({ matchedAt }) => matchedAt && matchedAt / 1_000,
    ),
    providerGauge(
      'feed_late_after_seconds',
      'When the feed counts as late, as a Unix time',
      ({ lateAt }) => lateAt && lateAt / 1_000,
    ),
  ],
  read: ({ states, now }) =>
    states.flatMap(({ provider, isListed, matchedAt, lateAt, last }) => {
      if (!isListed || matchedAt === null) return [];
      const hours = Math.floor((now - matchedAt) / HOUR_MS);
      if (now > (lateAt ?? matchedAt + UNKNOWN_LATE_MS))
        return {
          subject: provider,
          detail: `the last import was ${hours} hours ago, on ${instant(matchedAt)}`,
        };
      const rows = `${last?.packages ?? 0} packages, ${last?.refused ?? 0} rows refused`;
      return `The feed of ${provider} was last imported at ${new Date(matchedAt).toISOString()}: ${rows}.`;
    }),
};

import { type Condition, MINUTE_MS } from './condition.ts';
import { providerGauge, type StoreFacts } from './store-facts.ts';
import type { StoreView } from './store-view.ts';

/** Ends only with a successful import that began after it: neither a running retry nor a withdrawal ends it. */
export const FEED_FAILED: Condition<StoreView, StoreFacts> = {
  id: 'feed failed',
  level: 'warn',
  sentence: 'The feed of $ fails',
  remedy: 'See {feed show $}, and try {feed check $}.',
  // The first retries often succeed.
  graceMs: 10 * MINUTE_MS,
  gauges: [
    providerGauge(
      'feed_failures',
      'Failed attempts since the last good one',
      ({ feed }) => feed?.failures.length ?? 0,
    ),
  ],
  read: ({ states }) =>
    states.flatMap(({ provider, feed }) => {
      const failure = feed?.failures[0];
      return failure === undefined ? [] : { subject: provider, detail: failure.message };
    }),
};

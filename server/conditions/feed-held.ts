import type { Condition } from './condition.ts';
import { providerGauge, type StoreFacts } from './store-facts.ts';
import type { StoreView } from './store-view.ts';

export const FEED_HELD: Condition<StoreView, StoreFacts> = {
  id: 'feed held',
  level: 'warn',
  sentence: 'A feed of $ is held for review',
  remedy: 'Review with {feed show $}, then accept or discard.',
  graceMs: 0,
  gauges: [
    providerGauge('feed_held', '1 while a feed waits for an operator', ({ feed }) =>
      feed === null || feed.pendingReview === null ? 0 : 1,
    ),
  ],
  read: ({ states }) =>
    states.flatMap(({ provider, feed }) =>
      feed === null || feed.pendingReview === null
        ? []
        : { subject: provider, detail: feed.pendingReview.message },
    ),
};

import type { Condition } from './condition.ts';
import type { StoreView } from './store-view.ts';

export const FEED_MISSING: Condition<StoreView> = {
  id: 'feed missing',
  level: 'warn',
  sentence: 'The feed of $ has never been imported',
  remedy: 'See {feed status}, and {feed check $}. If $ is of no use, remove it from providers.json.',
  graceMs: 0,
  read: ({ states, feedLateMs: graceMs }) =>
    states
      .filter(({ isListed, matchedAt }) => isListed && matchedAt === null)
      .map(({ provider: subject }) => ({ subject, graceMs })),
};

import type { Condition } from './condition.ts';
import { providerGauge, type StoreFacts } from './store-facts.ts';
import type { StoreView } from './store-view.ts';

export const FEED_EMPTY: Condition<StoreView, StoreFacts> = {
  id: 'feed empty',
  level: 'warn',
  sentence: 'Nothing of $ is on sale',
  remedy: 'Its packages were removed or have departed: see {feed show $}.',
  graceMs: 0,
  readyz: 'warnings',
  gauges: [
    providerGauge(
      'feed_packages',
      'Packages of the last import; 0 if none is on sale',
      ({ last, isEmpty }) => (isEmpty ? 0 : (last?.packages ?? 0)),
    ),
  ],
  read: ({ states }) =>
    states
      .filter(({ isListed, isEmpty }) => isListed && isEmpty)
      .map(({ provider: subject }) => ({ subject })),
};

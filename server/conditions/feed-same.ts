import { lastReadOf } from '../feed/attempts/attempt-table.ts';
import { maxAgeMs } from '../feed/map/feed-block.ts';
import { mapInOrder } from '../lib/map-in-order.ts';
import { type Condition, instant } from './condition.ts';
import type { StoreView } from './store-view.ts';

export const FEED_SAME: Condition<StoreView> = {
  id: 'feed same',
  level: 'warn',
  sentence: '$ sends the same file for longer than its maxAge',
  remedy: 'Its export has probably stopped, so its prices are out of date. Ask the provider.',
  graceMs: 0,
  async read({ database, states, now }) {
    const onSale = states.filter(({ feed }) => feed !== null && feed.seenAt !== null);
    const faults = await mapInOrder(onSale, async ({ provider: subject }) => {
      const { madeAt, maxAge = maxAgeMs(null) } = (await lastReadOf(database, subject))?.detail ?? {};
      const sentence = `$ has sent the same file since ${instant(madeAt ?? 0)}`;
      return madeAt === undefined || now - madeAt <= maxAge ? [] : { subject, sentence };
    });
    return faults.flat();
  },
};

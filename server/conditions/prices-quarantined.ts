import { lastReadOf } from '../feed/attempts/attempt-table.ts';
import { mapInOrder } from '../lib/map-in-order.ts';
import type { Condition } from './condition.ts';
import type { StoreView } from './store-view.ts';

export const PRICES_QUARANTINED: Condition<StoreView> = {
  id: 'feed quarantined',
  level: 'warn',
  sentence: 'Implausible prices of $ are quarantined',
  remedy: 'Review with {feed show $}. {feed accept $} puts them on sale.',
  async read({ database, states }) {
    const faults = await mapInOrder(states, async ({ provider: subject }) => {
      const packages = (await lastReadOf(database, subject))?.detail.difference?.quarantined ?? 0;
      return packages === 0 ? [] : { subject, detail: `${packages} packages are off sale` };
    });
    return faults.flat();
  },
};

import { dayNumber, todayInLondon } from '../../domain/calendar-date.ts';
import { type Condition, MINUTE_MS } from './condition.ts';
import { gauge } from './gauge.ts';
import type { StoreFacts } from './store-facts.ts';
import type { StoreView } from './store-view.ts';

export const NOTHING_ON_SALE: Condition<StoreView, StoreFacts> = {
  id: 'empty',
  level: 'warn',
  sentence: 'Nothing is on sale',
  remedy:
    'See {feed status}, and import a feed. To try Skylark with invented packages, set SAMPLE_INVENTORY=on.',
  graceMs: 10 * MINUTE_MS,
  readyz: 'warnings',
  gauges: [gauge('store_offers', 'Packages in the store when last counted', ({ offers }) => offers)],
  async read({ database: { sql }, now }) {
    const today = dayNumber(todayInLondon(now));
    return (
      (await sql.get`select 1 as one from offer where departure_day > ${today} limit 1`) === undefined && {}
    );
  },
};

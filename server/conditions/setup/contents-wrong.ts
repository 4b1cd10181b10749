import { fromDayNumber } from '../../../domain/calendar-date.ts';
import { firstDayOfMonth } from '../../../domain/month.ts';
import { comparePriceBlocks } from '../../inventory/tables/compare-price-blocks.ts';
import { missingRecords } from '../../inventory/tables/missing-records.ts';
import type { Condition } from '../condition.ts';
import type { StoreView } from '../store-view.ts';
import { lookAtMonths } from './months-of-packages.ts';

export const PRICE_BLOCKS_WRONG: Condition<Pick<StoreView, 'database' | 'now'>> = {
  id: 'price blocks',
  level: 'bad',
  sentence: 'Prices by day differ from the packages',
  remedy:
    'Run {prices:rebuild}. It compares all months and rebuilds wrong ones while searches and imports continue.',
  async read({ database, now }) {
    const looked = await lookAtMonths(database, now, async (tx, month) => {
      const { wrong, blocks } = await comparePriceBlocks(tx, month);
      const name = fromDayNumber(firstDayOfMonth(month)).slice(0, 7);
      return wrong === 0 ? [] : [`${name}: ${wrong} of ${blocks}`];
    });
    if (looked === null) return false;
    const { faults, compared } = looked;
    if (faults.length === 0) return `The prices by day match the packages (${compared}).`;
    return { detail: `${faults.join('; ')}. Calendars and searches over weeks show them` };
  },
};

/** Searches fail on packages whose hotel, room, resort or flights are missing. */
export const RECORDS_MISSING: Condition<Pick<StoreView, 'database' | 'now'>> = {
  id: 'records',
  level: 'bad',
  sentence: 'Packages lack their hotel, room, resort or flight',
  remedy: 'Import the feeds of these providers again.',
  async read({ database, now }) {
    const looked = await lookAtMonths(database, now, missingRecords);
    if (looked === null) return false;
    const { faults, compared } = looked;
    const providers = Map.groupBy(faults, ({ provider }) => provider);
    const counts = [...providers].map(
      ([provider, months]) => `${provider}: ${months.reduce((sum, { packages }) => sum + packages, 0)}`,
    );
    if (counts.length === 0) return `Every package has its hotel, room, resort and flights (${compared}).`;
    const remedy = `Import the feeds of these providers again: ${[...providers.keys()].join(', ')}`;
    return { detail: `${counts.join(', ')}. Searches that find one fail`, remedy };
  },
};

import { parseItemKey } from '../inventory/item-key.ts';
import { OFFER } from '../inventory/offer-columns.ts';
import { storedCatalogue } from '../inventory/tables/stored-catalogue.ts';
import { memoize } from '../lib/memoize.ts';
import { StoreUnavailable } from '../lib/store-unavailable.ts';
import { isDiskFault } from '../storage/disk-fault.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import type { SiteVisit } from './record-visits.ts';

/** Click-throughs beyond this come from a bot and are not recorded. */
const MAX_PER_DAY = 100_000;

/** Writes click-throughs. Returns whether the package is known. Throws StoreUnavailable if the disk takes no more. */
export function visitWriter(database: SqlDatabase): (visit: SiteVisit) => boolean {
  const put = database.prepare(
    'insert into site_visit (provider, item_key, price, visited_at) values (?, ?, ?, ?)',
  );
  const today = database.prepare('select count(*) as visits from site_visit where visited_at > ?');
  const catalogue = storedCatalogue(database);
  const visitsOfDay = memoize(1, (visitedAt) => Number(today.get(visitedAt - 1440)?.visits));

  return ({ itemKey, price, visitedAt }) => {
    const key = parseItemKey(itemKey, catalogue());
    if (key === null) return false;
    if (visitsOfDay(visitedAt) >= MAX_PER_DAY) return true;
    try {
      put.run(key[OFFER.provider], itemKey, price, visitedAt);
      return true;
    } catch (cause) {
      throw isDiskFault(cause) ? new StoreUnavailable({ cause }) : cause;
    }
  };
}

import { parseItemKey } from '../inventory/item-key.ts';
import { OFFER } from '../inventory/offer-columns.ts';
import { storedCatalogue } from '../inventory/tables/stored-catalogue.ts';
import { memoize } from '../lib/memoize.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import type { SiteVisit } from './record-visits.ts';

/** More click-throughs in a day than this are a machine's; they are not recorded. */
const MOST_A_DAY = 100_000;

/** Writes click-throughs of packages that the dictionaries know; tells whether it did. */
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
    if (visitsOfDay(visitedAt) < MOST_A_DAY) put.run(key[OFFER.provider], itemKey, price, visitedAt);
    return true;
  };
}

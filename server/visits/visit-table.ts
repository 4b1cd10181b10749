import { parseItemKey } from '../inventory/item-key.ts';
import { IS_OFFER, OFFER } from '../inventory/offer-columns.ts';
import { type StoredCatalogue, storedCatalogue } from '../inventory/tables/stored-catalogue.ts';
import { mapInOrder } from '../lib/map-in-order.ts';
import { StoreUnavailable } from '../lib/store-unavailable.ts';
import { isDiskFault } from '../storage/disk-fault.ts';
import type { SqlDatabase, SqlSession } from '../storage/sql-database.ts';
import type { SiteVisit, VisitOutcome } from './record-visits.ts';

/** Clicks and checks beyond this number come from bots and are not recorded. Checks get at most half. */
const MAX_PER_DAY = 100_000;

/**
 * Writes a batch of clicks and checks, all or none, because clients retry rejected ones. Only those at the price
 * that is on sale at their minute are written. Throws StoreUnavailable if nothing can be written.
 */
export function visitWriter(
  database: SqlDatabase,
  maxPerDay: number = MAX_PER_DAY,
): (visits: readonly SiteVisit[]) => Promise<VisitOutcome[]> {
  const today = database.prepare('select count(*) as visits from site_visit where visited_at > ?');
  const onSale = database.prepare(`select 1 from offer where ${IS_OFFER}`);
  const catalogueIn = storedCatalogue();
  /** The number of visits in the day before a minute. Counted once per minute, then incremented. */
  let ofDay: { visitedAt: number; visits: number } | null = null;

  /** The outcome of a visit that is not written; null if it has to be written. */
  async function outcomeWithoutWriting(
    { itemKey, visitedAt, isShown, checked }: SiteVisit,
    names: StoredCatalogue,
  ): Promise<VisitOutcome | null> {
    const key = await parseItemKey(itemKey, names);
    if (key === null) return 'unknown package';
    if (!isShown) return (await onSale.row(...key)) === undefined ? 'unknown package' : 'price not shown';
    if (ofDay?.visitedAt !== visitedAt)
      ofDay = { visitedAt, visits: Number((await today.get(visitedAt - 1440))?.visits) };
    if (ofDay.visits >= (checked === undefined ? maxPerDay : maxPerDay / 2)) return 'over limit';
    ofDay.visits += 1;
    return null;
  }

  async function write(
    tx: SqlSession,
    { itemKey, price, visitedAt, client, checked }: SiteVisit,
  ): Promise<void> {
    const key = await parseItemKey(itemKey, await catalogueIn(tx));
    if (key === null) return;
    const put = tx.prepare(
      `insert into site_visit (provider, item_key, price, visited_at, next_price, is_check, client)
      select ?, ?, ?, ?, ?, ?, ? from offer where ${IS_OFFER} and price = ? and expires_at > ?`,
    );
    const [next, isCheck] = checked === undefined ? [null, 0] : [checked, 1];
    const visit = [key[OFFER.provider], itemKey, price, visitedAt, next, isCheck, client];
    await put.run(...visit, ...key, price, visitedAt);
  }

  return async (visits) => {
    const names = await catalogueIn(database);
    const outcomes = await mapInOrder(visits, (visit) => outcomeWithoutWriting(visit, names));
    const toWrite = visits.filter((_, nth) => outcomes[nth] === null);
    try {
      if (toWrite.length > 0)
        // Without a lock, so that writes in PostgreSQL do not wait for each other.
        await database.write(null, async (tx) => {
          for (const visit of toWrite) await write(tx, visit);
        });
    } catch (cause) {
      ofDay = null;
      throw isDiskFault(cause) ? new StoreUnavailable({ cause }) : cause;
    }
    return outcomes.map((outcome) => outcome ?? 'recorded');
  };
}

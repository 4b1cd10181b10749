import { parseItemKey } from '../inventory/item-key.ts';
import { IS_OFFER, OFFER } from '../inventory/offer-columns.ts';
import { type StoredCatalogue, storedCatalogue } from '../inventory/tables/stored-catalogue.ts';
import { StoreUnavailable } from '../lib/store-unavailable.ts';
import { isDiskFault } from '../storage/disk-fault.ts';
import { inTransaction } from '../storage/in-transaction.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import type { SiteVisit, VisitOutcome } from './record-visits.ts';

/** Clicks and checks beyond this number come from bots and are not recorded. Checks get at most half. */
const MAX_PER_DAY = 100_000;

/**
 * Writes a batch of clicks, all or none, because clients retry rejected ones. A click with a proven price
 * counts even if the package has since sold out. Throws StoreUnavailable if nothing can be written.
 */
export function visitWriter(
  database: SqlDatabase,
  maxPerDay: number = MAX_PER_DAY,
): (visits: readonly SiteVisit[]) => VisitOutcome[] {
  const put = database.prepare(
    'insert into site_visit (provider, item_key, price, visited_at, settled_at, next_price) values (?, ?, ?, ?, ?, ?)',
  );
  const today = database.prepare('select count(*) as visits from site_visit where visited_at > ?');
  const onSale = database.prepare(`select 1 from offer where ${IS_OFFER}`);
  const catalogue = storedCatalogue(database);
  /** The number of visits in the day before a minute. Counted once per minute, then incremented. */
  let ofDay: { visitedAt: number; visits: number } | null = null;

  /** The outcome of a visit that is not written; null if it has to be written. */
  function outcomeWithoutWriting(
    { itemKey, visitedAt, isShown, checked }: SiteVisit,
    names: StoredCatalogue,
  ): VisitOutcome | null {
    const key = parseItemKey(itemKey, names);
    if (key === null) return 'unknown package';
    if (!isShown) return onSale.row(...key) === undefined ? 'unknown package' : 'price not shown';
    if (ofDay?.visitedAt !== visitedAt)
      ofDay = { visitedAt, visits: Number(today.get(visitedAt - 1440)?.visits) };
    if (ofDay.visits >= (checked === undefined ? maxPerDay : maxPerDay / 2)) return 'recorded';
    ofDay.visits += 1;
    return null;
  }

  function write({ itemKey, price, visitedAt, checked }: SiteVisit, names: StoredCatalogue): void {
    const provider = parseItemKey(itemKey, names)?.[OFFER.provider];
    // Statements are sent without waiting for each other; the commit reports failures.
    if (provider === undefined) return;
    const settledAt = checked === undefined ? null : visitedAt;
    put.start(provider, itemKey, price, visitedAt, settledAt, checked ?? null);
  }

  return (visits) => {
    const names = catalogue();
    const outcomes = visits.map((visit) => outcomeWithoutWriting(visit, names));
    const toWrite = visits.filter((_, nth) => outcomes[nth] === null);
    try {
      if (toWrite.length > 0)
        // Without a lock, so that writes in PostgreSQL do not wait for each other.
        inTransaction(
          database,
          () => {
            for (const visit of toWrite) write(visit, names);
          },
          null,
        );
    } catch (cause) {
      ofDay = null;
      throw isDiskFault(cause) ? new StoreUnavailable({ cause }) : cause;
    }
    return outcomes.map((outcome) => outcome ?? 'recorded');
  };
}

import type { Pence } from '../../../domain/money.ts';
import { isImplausibleMove } from '../../../domain/price-drop.ts';
import type { OfferRow } from '../../inventory/inventory.ts';
import { IS_OFFER, KEY_COLUMNS, OFFER, type OfferKey } from '../../inventory/offer-columns.ts';
import { rowInserter } from '../../storage/open/row-inserter.ts';
import type { SqlSession } from '../../storage/sql-database.ts';
import type { Quarantined, Staging } from './staging.ts';

/** Two feeds agree on a price if it differs by at most this, in percent. */
const AGREEING_PERCENT = 5;

/** The table of quarantined prices. Its key is an offer's. */
export const QUARANTINE = { table: 'feed_quarantine', values: ['was', 'price', 'day'] } as const;

/** `day`: the London day on which the feed was made. Repeated: it was imported before. */
export interface QuarantineRule {
  day: number;
  isRepeated: boolean;
  /** Puts every price on sale. */
  isReleasing: boolean;
}

/** Whether the provider has quarantined prices. */
export async function hasQuarantined(database: SqlSession, provider: number): Promise<boolean> {
  return (
    (await database.prepare(`select 1 from ${QUARANTINE.table} where provider = ? limit 1`).row(provider)) !==
    undefined
  );
}

/**
 * Returns a function that decides whether a package of the feed goes on sale, and plans what to write about it. A
 * quarantined price is released if feeds of two days agree on it. `stored` is the price on sale.
 */
export function quarantineJudge(
  staging: Staging,
  { day, isRepeated, isReleasing }: QuarantineRule,
  onQuarantined: (row: OfferRow, was: Pence, stored: Pence | null) => void,
) {
  return (row: OfferRow, stored: Pence | null, entry: Quarantined | null): boolean => {
    const price = row[OFFER.price];
    const was = stored ?? entry?.was ?? price;
    const isAgreed = entry !== null && Math.abs(price - entry.price) * 100 <= entry.price * AGREEING_PERCENT;
    const isConfirmed = isAgreed && entry.day < day && !isRepeated;
    if (isReleasing || isConfirmed || !isImplausibleMove(was, price)) {
      if (entry !== null) staging.release(row);
      return true;
    }
    onQuarantined(row, was, stored);
    staging.quarantine(row, isAgreed ? entry : { was, price, day }, !isAgreed);
    return false;
  };
}

/** Writes what was planned, in the import's transaction, and removes departed packages. */
export async function writeQuarantine(
  database: SqlSession,
  staging: Staging,
  firstDay: number,
): Promise<void> {
  const columns = [...KEY_COLUMNS, ...QUARANTINE.values];
  const target = { table: QUARANTINE.table, columns, keys: KEY_COLUMNS, update: QUARANTINE.values };
  await (await rowInserter(database, target)).insert(staging.quarantined());
  const remove = database.prepare(`delete from ${QUARANTINE.table} where ${IS_OFFER}`);
  for (const key of staging.released()) await remove.run(...key);
  await database.prepare(`delete from ${QUARANTINE.table} where departure_day < ?`).run(firstDay);
}

export function keyOf(row: OfferRow): OfferKey {
  return row.slice(0, KEY_COLUMNS.length) as unknown as OfferKey;
}

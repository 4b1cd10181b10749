import { type DailyPrice, dailyPrices, type PriceObservation } from '../../domain/daily-prices.ts';
import type { OfferRow } from '../inventory/inventory.ts';
import { OFFER } from '../inventory/offer-columns.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import { HISTORY_KEY_COLUMNS, historyKeyOf } from './history-key.ts';
import { pricePathReader } from './price-path-table.ts';

/** A package's own prices over the rolling year, for each day on which one was seen. */
export interface PackageHistory {
  daily: DailyPrice[];
  /** True if some of these days are generated for the sample market. */
  sample: boolean;
}

/** The rolling window, in days. */
export const HISTORY_DAYS = 365;

/** Reads the history of an offer that is on sale, up to `today` (days since 1970-01-01). */
export function packageHistoryReader(
  database: SqlDatabase,
): (offer: OfferRow, today: number) => PackageHistory {
  const pathOf = pricePathReader(database);
  const observed = database.prepare(
    `select seen_at, price, after_gap from price_observation
    where ${HISTORY_KEY_COLUMNS.map((column) => `${column} = ?`).join(' and ')} order by seen_at`,
  );
  return (offer, today) => {
    const rows = observed.rows(...historyKeyOf(offer)) as unknown as [number, number, number][];
    const observations: PriceObservation[] = rows.map(([seenAt, price, afterGap]) => ({
      seenAt,
      price,
      afterGap: afterGap === 1,
    }));
    // An unchanged offer has no row for its last sighting; a gap before it would have made one.
    observations.push({ seenAt: offer[OFFER.seenAt], price: offer[OFFER.price], afterGap: false });
    const path = pathOf(offer[OFFER.hotel], offer[OFFER.departureDay]);
    const daily = dailyPrices({ observations, path, today, days: HISTORY_DAYS });
    const firstObserved = Math.floor((observations[0]?.seenAt ?? 0) / 1440);
    return { daily, sample: daily.some(({ day }) => day < firstObserved) };
  };
}

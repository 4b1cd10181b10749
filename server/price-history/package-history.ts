import { type DailyPrice, dailyPrices, type PriceObservation } from '../../domain/daily-prices.ts';
import { londonDay } from '../../domain/london-time.ts';
import type { Pence } from '../../domain/money.ts';
import type { OfferRow } from '../inventory/inventory.ts';
import type { OfferCharges } from '../inventory/offer-charges.ts';
import { IS_OFFER, KEY_COLUMNS, OFFER, type OfferKey, PRICE_SINCE } from '../inventory/offer-columns.ts';
import type { SqlSession } from '../storage/sql-database.ts';
import { historyKeyOf, IS_IN_HISTORY } from './history-key.ts';
import { pricePathReader } from './price-path-table.ts';

/** A package's own prices over the last year, for each day on which one was seen. */
export interface PackageHistory {
  daily: DailyPrice[];
  /** True if some of these days are generated for the sample market. */
  sample: boolean;
}

/** The length of the history, in days. */
export const HISTORY_DAYS = 365;

/**
 * Reads the history of an offer on sale, up to `today` (days since 1970-01-01). The store contains the
 * provider's prices, to which `totalAt` adds today's local charges.
 */
export function packageHistoryReader(
  database: SqlSession,
  totalAt: OfferCharges['totalAt'],
): (offer: OfferRow, today: number) => Promise<PackageHistory> {
  const pricesOf = providerPriceReader(database);
  return async (offer, today) => {
    const key = offer.slice(0, KEY_COLUMNS.length) as unknown as OfferKey;
    const { daily, sample } = await pricesOf(key, offer, today, HISTORY_DAYS);
    return { daily: daily.map(({ day, price }) => ({ day, price: totalAt(offer, price) })), sample };
  };
}

/** Reads a provider's own prices of the last `days` days. `offer`: the package's row; null if it is not on sale. */
export function providerPriceReader(
  database: SqlSession,
): (key: OfferKey, offer: OfferRow | null, today: number, days: number) => Promise<PackageHistory> {
  const pathOf = pricePathReader(database);
  const observed = database.prepare(
    `select seen_at, last_seen_at, price, after_gap from price_observation
      where ${IS_IN_HISTORY}
    union all select ${PRICE_SINCE}, null, price, 1 from offer where ${IS_OFFER} and ${PRICE_SINCE} > 0
    order by 1`,
  );
  return async (key, offer, today, days) => {
    const rows = (await observed.rows(...historyKeyOf(key), ...key)) as unknown as HistoryRow[];
    const last =
      offer === null ? [] : [{ seenAt: offer[OFFER.seenAt], price: offer[OFFER.price], isAfterGap: false }];
    // Runs overlap if an importer's clock was set back, and did after a rollback in releases up to 0.2.0.
    const observations = [...rows.flatMap(observationsOf), ...last].toSorted(
      (one, other) => one.seenAt - other.seenAt,
    );
    const path = await pathOf(key[OFFER.hotel], key[OFFER.departureDay]);
    const daily = dailyPrices({ observations, path, today, days });
    const firstObserved = londonDay(observations[0]?.seenAt ?? 0);
    return { daily, sample: daily.some(({ day }) => day < firstObserved) };
  };
}

type HistoryRow = readonly [seenAt: number, lastSeenAt: number | null, price: Pence, isAfterGap: number];

/** The first and last observation of a run. Rows written by 0.1.0 have only one. */
function observationsOf([seenAt, lastSeenAt, price, isAfterGap]: HistoryRow): PriceObservation[] {
  const first = { seenAt, price, isAfterGap: isAfterGap === 1 };
  return lastSeenAt === null ? [first] : [first, { seenAt: lastSeenAt, price, isAfterGap: false }];
}

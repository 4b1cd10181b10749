import { median } from '../../domain/median.ts';
import type { CodedCatalogue } from '../inventory/catalogue.ts';
import { parseItemKey } from '../inventory/item-key.ts';
import { IS_OFFER } from '../inventory/offer-columns.ts';
import { HISTORY_KEY_COLUMNS, historyKeyOf } from '../price-history/history-key.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';

/** How accurate a provider's displayed prices were, judged by the prices in its later feeds. */
export interface ProviderAccuracy {
  provider: string;
  /** Click-throughs recorded. */
  visits: number;
  /** Those whose package had a price in a later feed. */
  toldAgain: number;
  /** Of those, the share with the same price, and the share within 1% of it. */
  same: number;
  within1Percent: number;
  /** Median deviation of the next price from the displayed one, in percent. */
  medianMiss: number;
}

/** Accuracy per provider over the recorded click-throughs. Providers without any are omitted. */
export function priceAccuracy(database: SqlDatabase, catalogue: CodedCatalogue): ProviderAccuracy[] {
  const visits = database.prepare('select provider, item_key, price, visited_at from site_visit').all();
  const nextPrice = nextPriceFinder(database, catalogue);
  const misses = Map.groupBy(visits, ({ provider }) => Number(provider));
  return [...misses].map(([provider, ofProvider]) => {
    const told = ofProvider.flatMap(({ item_key, price, visited_at }) => {
      const next = nextPrice(String(item_key), Number(visited_at));
      return next === null ? [] : [(Math.abs(next - Number(price)) / Number(price)) * 100];
    });
    const share = (most: number) =>
      told.length === 0 ? 0 : told.filter((miss) => miss <= most).length / told.length;
    return {
      provider: catalogue.providers.get(provider)?.code ?? String(provider),
      visits: ofProvider.length,
      toldAgain: told.length,
      same: share(0),
      within1Percent: share(1),
      medianMiss: median(told) ?? 0,
    };
  });
}

/** Finds a package's first price after a given minute; null if there is none yet. */
function nextPriceFinder(
  database: SqlDatabase,
  catalogue: CodedCatalogue,
): (itemKey: string, minute: number) => number | null {
  const observed = database.prepare(
    `select price from price_observation
    where ${HISTORY_KEY_COLUMNS.map((column) => `${column} = ?`).join(' and ')} and seen_at > ?
    order by seen_at limit 1`,
  );
  const current = database.prepare(`select price from offer where ${IS_OFFER} and seen_at > ?`);
  return (itemKey, minute) => {
    const key = parseItemKey(itemKey, catalogue);
    if (key === null) return null;
    const told = observed.get(...historyKeyOf(key), minute) ?? current.get(...key, minute);
    return told === undefined ? null : Number(told.price);
  };
}

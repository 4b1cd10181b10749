import { median } from '../../domain/median.ts';
import type { CodedCatalogue } from '../inventory/catalogue.ts';
import { parseItemKey } from '../inventory/item-key.ts';
import { IS_OFFER } from '../inventory/offer-columns.ts';
import { HISTORY_KEY_COLUMNS, historyKeyOf } from '../price-history/history-key.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';

/** How true a provider's shown prices were, as far as its feed has told since. */
export interface ProviderAccuracy {
  provider: string;
  /** Click-throughs recorded. */
  visits: number;
  /** Those whose price the provider's feed has told again since. */
  toldAgain: number;
  /** Of those, the share whose price was the one shown, and the share within 1% of it. */
  same: number;
  within1Percent: number;
  /** The median of how far the price told next lay from the one shown, in percent. */
  medianMiss: number;
}

/** Accuracy per provider over the click-throughs that are kept, providers with none left out. */
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

/** What a package cost when it was first told of after an instant; null where that has not been yet. */
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

import { median } from '../../domain/median.ts';
import type { Pence } from '../../domain/money.ts';
import type { CodedCatalogue } from '../inventory/catalogue.ts';
import { parseItemKey } from '../inventory/item-key.ts';
import { IS_OFFER } from '../inventory/offer-columns.ts';
import { HISTORY_KEY_COLUMNS, historyKeyOf } from '../price-history/history-key.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';

/**
 * How accurate a provider's displayed prices were at the click, judged by what the provider said next. `visits` is the
 * sum of `same`, `up`, `down`, `soldOut` and `unknown`.
 */
export interface ProviderAccuracy {
  provider: string;
  /** Click-throughs recorded. */
  visits: number;
  same: number;
  /** The next price was higher, and by how much in the median, in percent; null if none was. */
  up: number;
  medianUp: number | null;
  /** The next price was lower. */
  down: number;
  medianDown: number | null;
  /** The provider no longer had the package. */
  soldOut: number;
  /** The provider has said nothing since the click. */
  unknown: number;
}

/** What a provider said next about a clicked package. */
type NextAnswer = { kind: 'price'; price: Pence } | { kind: 'sold out' } | { kind: 'unknown' };

/** Accuracy per provider over the recorded click-throughs. Providers without any are omitted. */
export function priceAccuracy(database: SqlDatabase, catalogue: CodedCatalogue): ProviderAccuracy[] {
  const visits = database
    .prepare('select provider, item_key, price, visited_at, settled_at, next_price from site_visit')
    .all();
  const later = laterPriceFinder(database, catalogue);
  const byProvider = Map.groupBy(visits, ({ provider }) => Number(provider));
  return [...byProvider].map(([provider, ofProvider]) => ({
    provider: catalogue.providers.get(provider)?.code ?? String(provider),
    ...summary(
      ofProvider.map(({ item_key, price, visited_at, settled_at, next_price }) => ({
        shown: Number(price),
        next:
          settled_at === null
            ? later(String(item_key), Number(visited_at))
            : settledAnswer(next_price === null ? null : Number(next_price)),
      })),
    ),
  }));
}

function settledAnswer(price: Pence | null): NextAnswer {
  return price === null ? { kind: 'sold out' } : { kind: 'price', price };
}

function summary(clicks: readonly { shown: Pence; next: NextAnswer }[]): Omit<ProviderAccuracy, 'provider'> {
  const changes = clicks.flatMap(({ shown, next }) =>
    next.kind === 'price' ? [((next.price - shown) / shown) * 100] : [],
  );
  const up = changes.filter((percent) => percent > 0);
  const down = changes.filter((percent) => percent < 0).map((percent) => -percent);
  const count = (kind: NextAnswer['kind']) => clicks.filter(({ next }) => next.kind === kind).length;
  return {
    visits: clicks.length,
    same: changes.length - up.length - down.length,
    up: up.length,
    medianUp: median(up),
    down: down.length,
    medianDown: median(down),
    soldOut: count('sold out'),
    unknown: count('unknown'),
  };
}

/** For prices that do not come from feed imports, which settle the clicks: a package's first price after a minute. */
function laterPriceFinder(
  database: SqlDatabase,
  catalogue: CodedCatalogue,
): (itemKey: string, minute: number) => NextAnswer {
  const observed = database.prepare(
    `select price from price_observation
    where ${HISTORY_KEY_COLUMNS.map((column) => `${column} = ?`).join(' and ')} and seen_at > ?
    order by seen_at limit 1`,
  );
  const current = database.prepare(`select price from offer where ${IS_OFFER} and seen_at > ?`);
  return (itemKey, minute) => {
    const key = parseItemKey(itemKey, catalogue);
    const found = key && (observed.get(...historyKeyOf(key), minute) ?? current.get(...key, minute));
    return found ? { kind: 'price', price: Number(found.price) } : { kind: 'unknown' };
  };
}

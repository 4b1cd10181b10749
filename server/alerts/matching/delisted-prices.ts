import type { OfferRow } from '../../inventory/inventory.ts';
import { KEY_COLUMNS, OFFER, OFFER_COLUMNS, type OfferKey } from '../../inventory/offer-columns.ts';
import type { PriceChange } from '../../inventory/price-changes.ts';
import { batchesOf } from '../../lib/batches.ts';
import { rowInserter } from '../../storage/open/row-inserter.ts';
import { givenRows } from '../../storage/postgres/unnest-rows.ts';
import type { SqlDatabase } from '../../storage/sql-database.ts';
import type { PackageLookup, PackageOnSale } from '../tables/package-lookup.ts';
import { GONE_PRICE_DAYS } from '../tables/retention.ts';
import { watchedPackageFinder } from './watched-packages.ts';

const A_DAY_MS = 24 * 60 * 60 * 1000;

const MAX_BATCH = 5_000;

/** The last prices of watched packages that left the inventory, so that their return can be a price drop. */
export function delistedPrices(database: SqlDatabase, packages: PackageLookup, now: () => number) {
  const { sql } = database;
  const table = { table: 'alert_gone_price', columns: ['item_key', 'price', 'gone_at'], keys: ['item_key'] };
  const prices = rowInserter(database, { ...table, update: ['price', 'gone_at'] });
  const findWatchedPackages = watchedPackageFinder(database, packages);
  const find = database.prepare(
    `select item_key, price from alert_gone_price where gone_at > ? and ${database.anyOf('item_key')}`,
  );
  const keptOf = database.prepare(
    'select item_key from alert_gone_price where gone_at > ? and substr(item_key, 1, cast(? as integer)) = ?',
  );
  const forget = database.prepare(`delete from alert_gone_price where ${database.anyOf('item_key')}`);
  const keptSince = () => now() - GONE_PRICE_DAYS * A_DAY_MS;

  /** The returned offers of a batch, each reported once as a change from its last price. */
  function takeReturns(offers: readonly OfferRow[]): PriceChange[] {
    if (offers.length === 0 || sql.get`select 1 from alert_gone_price limit 1` === undefined) return [];
    const keyOf = packages.keyReader();
    const byKey = new Map(offers.map((offer) => [keyOf(offer), offer]));
    const returned = find.rows(keptSince(), [...byKey.keys()]) as [string, number][];
    if (returned.length === 0) return [];
    forget.run(returned.map(([itemKey]) => itemKey));
    return returned.flatMap(([itemKey, price]) => {
      const offer = byKey.get(itemKey);
      return offer === undefined || offer[OFFER.price] === price
        ? []
        : [{ old: offer.with(OFFER.price, price) as unknown as OfferRow, new: offer }];
    });
  }

  function readOffers(keys: readonly OfferKey[]): OfferRow[] {
    const given = givenRows(database, 'offer', KEY_COLUMNS);
    const columns = OFFER_COLUMNS.map((column) => `offer.${column}`).join(', ');
    const offers = database.prepare(
      `select ${columns} from ${given.sql} join offer using (${KEY_COLUMNS.join(', ')})`,
    );
    return offers.rows(...given.valuesOf(keys)) as unknown as OfferRow[];
  }

  return {
    keep(offers: readonly PackageOnSale[]): void {
      const at = now();
      const watched = findWatchedPackages(offers);
      prices.insert([...watched].map(({ itemKey, offer }) => [itemKey, offer[OFFER.price], at]));
    },
    takeReturns,
    /** `takeReturns` for all offers of a provider, for imports that write sets of rows in PostgreSQL. */
    takeReturnsOf(providerCode: string): PriceChange[] {
      const start = `${encodeURIComponent(providerCode)}:`;
      const keys = keptOf.rows(keptSince(), start.length, start).flatMap(([itemKey]) => {
        const key = packages.keyOf(String(itemKey));
        return key === null ? [] : [key];
      });
      return Array.from(batchesOf(keys, MAX_BATCH), readOffers).flatMap(takeReturns);
    },
  };
}

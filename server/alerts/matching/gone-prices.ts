import { SIMILAR_DAYS } from '../../../domain/similar-package.ts';
import type { OfferRow } from '../../inventory/inventory.ts';
import { IS_OFFER, KEY_COLUMNS, OFFER, OFFER_COLUMNS, type OfferKey } from '../../inventory/offer-columns.ts';
import type { PriceChange } from '../../inventory/price-changes.ts';
import { batchesOf } from '../../lib/batches.ts';
import { rowInserter } from '../../storage/open/row-inserter.ts';
import { givenRows } from '../../storage/postgres/unnest-rows.ts';
import type { SqlDatabase } from '../../storage/sql-database.ts';
import type { PackageLookup, PackageOnSale } from '../tables/package-lookup.ts';
import { GONE_PRICE_DAYS } from '../tables/retention.ts';
import type { FindWatchedPackages } from './nearby-watches.ts';

const A_DAY_MS = 24 * 60 * 60 * 1000;

/** Offers of a provider that are read at once. */
const BATCH = 5_000;

/** Keeps the last prices of watched packages that leave the inventory, so that their return can be a price drop. */
export interface GonePrices {
  /** Call before the offers with these keys are removed. */
  keep(keys: readonly OfferKey[]): void;
  /** Call before a provider's offers are removed. */
  keepOfProvider(provider: number): void;
  /** Keeps the prices of these offers, which have been removed. */
  keepRemoved(offers: readonly PackageOnSale[]): void;
  /** Offers of a written batch that have returned, as changes of their last price. Each is returned once. */
  takeReturns(offers: readonly OfferRow[]): PriceChange[];
  /** The same for all offers of a provider that are in the inventory. */
  takeReturnsOf(providerCode: string): PriceChange[];
}

/** Without watches, and while no watched package is gone, each call costs one query that reads one row at most. */
export function gonePrices(
  database: SqlDatabase,
  packages: PackageLookup,
  findWatchedPackages: FindWatchedPackages,
  now: () => number,
): GonePrices {
  const { sql } = database;
  const table = { table: 'alert_gone_price', columns: ['item_key', 'price', 'gone_at'], keys: ['item_key'] };
  const prices = rowInserter(database, { ...table, update: ['price', 'gone_at'] });
  const readOffers = offersByKey(database);
  const find = database.prepare(
    `select item_key, price from alert_gone_price where gone_at > ? and ${database.anyOf('item_key')}`,
  );
  const keptOf = database.prepare(
    'select item_key from alert_gone_price where gone_at > ? and substr(item_key, 1, cast(? as integer)) = ?',
  );
  const forget = database.prepare(`delete from alert_gone_price where ${database.anyOf('item_key')}`);
  const ofProvider = database.prepare(`select ${OFFER_COLUMNS.join(', ')} from offer
    where provider = ? and ${database.anyOf('departure_day')} and ${database.anyOf('nights')}`);

  const isWatching = () => sql.get`select 1 from alert_watch where state = 'active' limit 1` !== undefined;
  const keptSince = () => now() - GONE_PRICE_DAYS * A_DAY_MS;
  const anyGone = () => sql.get`select 1 from alert_gone_price limit 1` !== undefined;

  const keepOffers = (offers: readonly OfferRow[]) =>
    keepPackages(offers.map(packages.batchReader()(offers)));

  function keepPackages(offers: readonly PackageOnSale[]): void {
    const at = now();
    const watched = findWatchedPackages(offers)();
    prices.insert([...watched].map(({ itemKey, price }) => [itemKey, price, at]));
  }

  function takeReturns(offers: readonly OfferRow[]): PriceChange[] {
    if (offers.length === 0 || !anyGone()) return [];
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

  return {
    keep(keys) {
      if (keys.length > 0 && isWatching()) keepOffers(readOffers(keys));
    },
    keepOfProvider(provider) {
      if (!isWatching()) return;
      const rows = ofProvider.iterate(provider, watchedDays(database), watchedNights(database));
      for (const batch of batchesOf(rows, BATCH)) keepOffers(batch as unknown as OfferRow[]);
    },
    keepRemoved(offers) {
      if (offers.length > 0) keepPackages(offers);
    },
    takeReturns,
    takeReturnsOf(providerCode) {
      const start = `${encodeURIComponent(providerCode)}:`;
      const keys = keptOf.rows(keptSince(), start.length, start).flatMap(([itemKey]) => {
        const key = packages.keyOf(String(itemKey));
        return key === null ? [] : [key];
      });
      return Array.from(batchesOf(keys, BATCH), readOffers).flatMap(takeReturns);
    },
  };
}

/** Departure days that a watch can cover. */
function watchedDays({ sql }: SqlDatabase): number[] {
  const days = sql.all`select distinct departure_day as day from alert_watch where state = 'active'`;
  const around = Array.from({ length: 2 * SIMILAR_DAYS + 1 }, (_, nth) => nth - SIMILAR_DAYS);
  return [...new Set(days.flatMap(({ day }) => around.map((offset) => Number(day) + offset)))];
}

function watchedNights({ sql }: SqlDatabase): number[] {
  return sql.all`select distinct nights from alert_watch where state = 'active'`.map(({ nights }) =>
    Number(nights),
  );
}

/** Reads the offers with these keys: one by one from an embedded store, at once from PostgreSQL to save round trips. */
function offersByKey(database: SqlDatabase): (keys: readonly OfferKey[]) => OfferRow[] {
  if (database.engine === 'sqlite') {
    const one = database.prepare(`select ${OFFER_COLUMNS.join(', ')} from offer where ${IS_OFFER}`);
    return (keys) => keys.flatMap((key) => one.rows(...key)) as unknown as OfferRow[];
  }
  const given = givenRows(database, 'offer', KEY_COLUMNS);
  const many = database.prepare(
    `select ${OFFER_COLUMNS.map((column) => `offer.${column}`).join(', ')}
      from ${given.sql} join offer using (${KEY_COLUMNS.join(', ')})`,
  );
  return (keys) => many.rows(...given.valuesOf(keys)) as unknown as OfferRow[];
}

import type { OfferRow } from '../../inventory/inventory.ts';
import { KEY_COLUMNS, OFFER, OFFER_COLUMNS, type OfferKey } from '../../inventory/offer-columns.ts';
import type { PriceChange } from '../../inventory/price-changes.ts';
import { batchesOf } from '../../lib/batches.ts';
import { mapInOrder } from '../../lib/map-in-order.ts';
import { rowInserter } from '../../storage/open/row-inserter.ts';
import type { SqlSession } from '../../storage/sql-database.ts';
import { jsonRows } from '../tables/json-rows.ts';
import type { PackageLookup, PackageOnSale } from '../tables/package-lookup.ts';
import { GONE_PRICE_DAYS } from '../tables/retention.ts';
import { watchedPackageFinder } from './watched-packages.ts';

const A_DAY_MS = 24 * 60 * 60 * 1000;

const MAX_BATCH = 5_000;

/** Selects the offers on sale whose keys are given as `jsonRows`. */
const ON_SALE = `with asked as materialized (select
    ${KEY_COLUMNS.map((column, at) => `cast(value ->> ${at} as integer) as ${column}`).join(', ')} from json_each(?))
  select ${OFFER_COLUMNS.map((column) => `offer.${column}`).join(', ')} from asked cross join offer
  where ${KEY_COLUMNS.map((column) => `offer.${column} = asked.${column}`).join(' and ')}`;

/** The last prices of watched packages that left the inventory, so that their return can be a price drop. */
export async function delistedPrices(tx: SqlSession, packages: PackageLookup, now: () => number) {
  const { sql } = tx;
  const table = { table: 'alert_gone_price', columns: ['item_key', 'price', 'gone_at'], keys: ['item_key'] };
  const prices = await rowInserter(tx, { ...table, update: ['price', 'gone_at'] });
  const findWatchedPackages = watchedPackageFinder(tx, packages);
  const find = tx.prepare(
    `select item_key, price from alert_gone_price where gone_at > ? and ${tx.anyOf('item_key')}`,
  );
  const keptOf = tx.prepare(
    'select item_key from alert_gone_price where gone_at > ? and substr(item_key, 1, cast(? as integer)) = ?',
  );
  const forget = tx.prepare(`delete from alert_gone_price where ${tx.anyOf('item_key')}`);
  const keptSince = () => now() - GONE_PRICE_DAYS * A_DAY_MS;

  /** The returned offers of a batch, each reported once as a change from its last price. */
  async function takeReturns(offers: readonly OfferRow[]): Promise<PriceChange[]> {
    if (offers.length === 0 || (await sql.get`select 1 from alert_gone_price limit 1`) === undefined)
      return [];
    const { itemKeyOf } = await packages.reader(offers);
    const byKey = new Map(offers.map((offer) => [itemKeyOf(offer), offer]));
    const returned = (await find.rows(keptSince(), [...byKey.keys()])) as [string, number][];
    if (returned.length === 0) return [];
    await forget.run(returned.map(([itemKey]) => itemKey));
    return returned.flatMap(([itemKey, price]) => {
      const offer = byKey.get(itemKey);
      return offer === undefined || offer[OFFER.price] === price
        ? []
        : [{ old: offer.with(OFFER.price, price) as unknown as OfferRow, new: offer }];
    });
  }

  const onSale = tx.prepare(ON_SALE);
  const readOffers = async (keys: readonly OfferKey[]) =>
    (await onSale.rows(jsonRows(keys))) as unknown as OfferRow[];

  return {
    async keep(offers: readonly PackageOnSale[]): Promise<void> {
      const at = now();
      const watched = await findWatchedPackages(offers);
      await prices.insert([...watched].map(({ itemKey, offer }) => [itemKey, offer[OFFER.price], at]));
    },
    takeReturns,
    /** `takeReturns` for all offers of a provider, for imports, which write sets of rows. */
    async takeReturnsOf(providerCode: string): Promise<PriceChange[]> {
      const start = `${encodeURIComponent(providerCode)}:`;
      const kept = await keptOf.rows(keptSince(), start.length, start);
      const { keyOf } = await packages.reader();
      const known = await mapInOrder(kept, ([itemKey]) => keyOf(String(itemKey)));
      const batches = batchesOf(
        known.filter((key) => key !== null),
        MAX_BATCH,
      );
      return (await mapInOrder(batches, async (keys) => takeReturns(await readOffers(keys)))).flat();
    },
  };
}

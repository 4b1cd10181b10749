import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OfferRow } from '../../server/inventory/inventory.ts';
import { FEEDS_NOTE } from '../../server/inventory/inventory-notes.ts';
import {
  KEY_COLUMNS,
  OFFER,
  OFFER_COLUMNS,
  type OfferKey,
  PRICE_SINCE,
} from '../../server/inventory/offer-columns.ts';
import { writeReferenceTables } from '../../server/inventory/tables/reference-tables.ts';
import { expectedPrice } from '../../server/price-history/model/hedonic-model.ts';
import { readPriceModels } from '../../server/price-history/model/model-table.ts';
import { faresOf, pricedPackageOf } from '../../server/price-history/model/price-traits.ts';
import { isRefreshed, refreshPrices } from '../../server/price-history/refresh-prices.ts';
import { removeNote, writeNote } from '../../server/storage/notes.ts';
import { openDatabase } from '../../server/storage/open/database.ts';
import type { SqlDatabase } from '../../server/storage/sql-database.ts';
import { embeddedStore } from '../../server/storage/store-address.ts';
import { ALL_STORE_KINDS } from '../fixtures/shared-store-kinds.ts';
import { FIRST_DAY, REFERENCE, smallOffers } from '../fixtures/small-inventory.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { makeStore, type TestStore } from '../fixtures/test-stores.ts';

const TODAY = FIRST_DAY - 30;

/** Prices of the last eight days. No two are equal, so that any difference in sums or ties shows. */
const offers = smallOffers().map((offer, nth): OfferRow => {
  const changed = [...offer] as (string | number | null)[];
  changed[OFFER.price] = 40_000 + ((nth * 7_919) % 60_000);
  changed[OFFER_COLUMNS.indexOf('seen_at')] = (TODAY - (nth % 8)) * 1440 + 600;
  return changed as unknown as OfferRow;
});

/** The same offers in an order in which a cluster may return them from its shards. */
const inAnotherOrder = offers
  .map((offer, nth) => ({ offer, place: (nth * 2_654_435_761) % 2 ** 32 }))
  .toSorted((one, other) => one.place - other.place)
  .map(({ offer }) => offer);

/** Everything that a refresh writes. */
async function refreshed(database: SqlDatabase, rows: readonly OfferRow[], reference = REFERENCE) {
  await writeReferenceTables(database, reference);
  await database.addRows(
    'offer',
    [...OFFER_COLUMNS, PRICE_SINCE],
    rows.map((row) => [...row, 0]),
  );
  const { packages } = await refreshPrices(database, TODAY);
  return {
    packages,
    models: await database.prepare('select body from price_model').rows(),
  };
}

const folder = temporaryFolder();
afterAll(() => folder.remove());
const embedded = await openDatabase(embeddedStore(folder.path));
const expected = await refreshed(embedded, offers);
await embedded.close();

for (const kind of ALL_STORE_KINDS) {
  describe(`A refresh of the prices in the ${kind} store`, () => {
    let store: TestStore;
    let database: SqlDatabase;
    beforeAll(async () => {
      store = await makeStore(kind);
      database = await openDatabase(store.address);
    });
    afterAll(async () => {
      await database.close();
      await store.remove();
    });

    it('writes the same model for any stored order of packages', async () => {
      expect(expected.packages).toBe(offers.length);
      expect(JSON.parse(String(expected.models[0]?.[0])).hedonic).not.toBeNull();
      expect(await refreshed(database, inAnotherOrder)).toEqual(expected);
    });

    it('is due once a day, and again when an empty store gets its first packages', async () => {
      await database.exec('delete from offer');
      await database.exec('delete from price_model');
      expect(await isRefreshed(database, TODAY)).toBe(false);
      expect(await refreshPrices(database, TODAY)).toMatchObject({ packages: 0 });
      expect(await isRefreshed(database, TODAY)).toBe(true);
      await database.addRows(
        'offer',
        [...OFFER_COLUMNS, PRICE_SINCE],
        offers.map((row) => [...row, 0]),
      );
      expect(await isRefreshed(database, TODAY)).toBe(false);
      await refreshPrices(database, TODAY);
      expect(await isRefreshed(database, TODAY)).toBe(true);
      expect(await isRefreshed(database, TODAY + 1)).toBe(false);
    });

    it('is due again after each import, for all servers together', async () => {
      // A refresh without packages is fast.
      await database.exec('delete from offer');
      const refresh = () => refreshPrices(database, TODAY);
      await refresh();
      await writeNote(database, FEEDS_NOTE, '2027-04-01T10:00:00.000Z');
      expect(await isRefreshed(database, TODAY)).toBe(false);
      await refresh();
      expect(await isRefreshed(database, TODAY)).toBe(true);
      await writeNote(database, FEEDS_NOTE, '2027-04-01T11:00:00.000Z');
      expect(await isRefreshed(database, TODAY)).toBe(false);
      await refresh();
      await removeNote(database, FEEDS_NOTE);
      expect(await isRefreshed(database, TODAY)).toBe(false);
      await refresh();
      expect(await isRefreshed(database, TODAY)).toBe(true);
    });
  });
}

/** A dictionary with its IDs reversed: the first record has the last ID. */
const reversed = <T extends { id: number }>(records: readonly T[]): T[] =>
  records.map((record, nth) => ({ ...record, id: records.at(-1 - nth)?.id ?? record.id }));

it('finds the same prices in a store whose records have other IDs', async () => {
  const renumbered = {
    hotels: reversed(REFERENCE.hotels),
    boards: reversed(REFERENCE.boards),
    rooms: reversed(REFERENCE.rooms),
    providers: reversed(REFERENCE.providers),
    parties: reversed(REFERENCE.parties),
  };
  const newId = (dictionary: keyof typeof renumbered, id: number) =>
    renumbered[dictionary][REFERENCE[dictionary].findIndex((record) => record.id === id)]?.id ?? id;
  const columns = {
    party: 'parties',
    hotel: 'hotels',
    board: 'boards',
    room: 'rooms',
    provider: 'providers',
  } as const;
  const moved = offers.map((offer) => {
    const changed = [...offer] as (number | string | null)[];
    for (const [column, dictionary] of Object.entries(columns)) {
      const at = OFFER_COLUMNS.indexOf(column as keyof typeof columns);
      changed[at] = newId(dictionary, Number(changed[at]));
    }
    return changed as unknown as OfferRow;
  });
  const [here, there] = await Promise.all(
    [
      { reference: REFERENCE, rows: offers },
      { reference: { ...REFERENCE, ...renumbered }, rows: moved },
    ].map(async ({ reference, rows }) => {
      const own = temporaryFolder();
      const database = await openDatabase(embeddedStore(own.path));
      await refreshed(database, rows, reference);
      const { hedonic } = (await readPriceModels(database)) ?? {};
      if (!hedonic) throw new Error('No model was trained');
      const faresOfParty = new Map(reference.parties.map(({ id, ...party }) => [id, faresOf(party)]));
      const records = {
        nationOf: () => 'england-wales' as const,
        faresOf: (party: number) => faresOfParty.get(party) ?? 1,
      };
      const prices = rows.map((row) => {
        const key = row.slice(0, KEY_COLUMNS.length) as unknown as OfferKey;
        return expectedPrice(hedonic, pricedPackageOf(key, row[OFFER.halfStars], records), TODAY);
      });
      await database.close();
      own.remove();
      return prices;
    }),
  );
  expect(there).toEqual(here);
});

it('widens the range once a day by the prices of the day that the last model has not learned from', async () => {
  const own = temporaryFolder();
  const database = await openDatabase(embeddedStore(own.path));
  await refreshed(database, offers);
  const rates = async () => (await readPriceModels(database))?.hedonic?.range.rates;
  expect(await rates()).toEqual({ below: expect.closeTo(0.1, 9), above: expect.closeTo(0.1, 9) });
  // Every price doubles, so all unseen prices are above the last range.
  await database.prepare('update offer set price = price * 2, seen_at = ?').run((TODAY + 1) * 1440 + 600);
  await refreshPrices(database, TODAY + 1);
  const wider = { below: expect.closeTo(0.13, 9), above: 0.01 };
  expect(await rates()).toEqual(wider);
  await refreshPrices(database, TODAY + 1);
  expect(await rates()).toEqual(wider);
  await database.close();
  own.remove();
});

it('adapts the range to a feed after the first training of the day, not to a few prices before it', async () => {
  const own = temporaryFolder();
  const database = await openDatabase(embeddedStore(own.path));
  await refreshed(database, offers);
  const rates = async () => (await readPriceModels(database))?.hedonic?.range.rates;
  const before = await rates();
  const see = database.prepare('update offer set seen_at = ? where departure_day = ?');
  await see.run((TODAY + 1) * 1440 + 10, FIRST_DAY);
  await refreshPrices(database, TODAY + 1);
  expect(await rates()).toEqual(before);
  await database.prepare('update offer set price = price * 2, seen_at = ?').run((TODAY + 1) * 1440 + 300);
  await refreshPrices(database, TODAY + 1);
  expect(await rates()).toEqual({ below: expect.closeTo(0.13, 9), above: 0.01 });
  await database.close();
  own.remove();
});

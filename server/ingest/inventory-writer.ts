import { firstDayOfMonth, monthOfDay } from '../../domain/month.ts';
import type { InventoryWriter } from '../inventory/tables/inventory-writer.ts';
import { offerTable } from '../inventory/tables/offer-table.ts';
import { renewReferenceVersion, writeReferenceTables } from '../inventory/tables/reference-tables.ts';
import { removeOffersBefore } from '../inventory/tables/remove-offers.ts';
import { storedCatalogue } from '../inventory/tables/stored-catalogue.ts';
import { PRICE_RUNS } from '../price-history/history-table.ts';
import { readNote, writeNote } from '../storage/notes.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import type { PriceEffects } from './price-listeners.ts';

/** In the embedded store, larger batches save nothing. */
const BATCH = 5_000;

/** In PostgreSQL each batch needs several statements, so larger ones are faster. */
const SET = 50_000;

/**
 * Writes the inventory of an open store, including local charges. The writer closes the store. The sample has a
 * generated history instead of recorded prices.
 */
export function inventoryWriter(
  database: SqlDatabase,
  {
    listeners = [],
    beforeCommit = async () => {},
    afterCommit = async () => {},
    recordsPrices = false,
  }: Partial<PriceEffects> & { recordsPrices?: boolean } = {},
): InventoryWriter {
  const runs = recordsPrices ? PRICE_RUNS : null;
  const batch = database.engine === 'sqlite' ? BATCH : SET;
  const knownStays = new Set<number>();
  const catalogueIn = storedCatalogue();

  return {
    async replaceReference(reference) {
      await database.write('dictionaries', async (tx) => {
        await writeReferenceTables(tx, reference);
        await renewReferenceVersion(tx);
      });
    },
    async writeOffers(uncharged, choose = async (_tx, all) => all) {
      const newStays = [...new Set(uncharged.map(([, nights]) => nights))].filter(
        (nights) => !knownStays.has(nights),
      );
      await database.write('offers of writers', async (tx) => {
        const offers = await offerTable(tx, { runs });
        // Under the lock, so that `applyCharges` misses no offer with the charge of an earlier table.
        const { charges } = await catalogueIn(tx);
        const rows = (await choose(tx, uncharged)).map(charges.charged);
        for (const nights of newStays)
          await tx.sql.run`insert into stay (nights) values (${nights}) on conflict do nothing`;
        for (let from = 0; from < rows.length; from += batch) {
          const some = rows.slice(from, from + batch);
          const changes = await offers.write(some);
          for (const listener of listeners) await listener.written(tx, some, changes);
        }
        await offers.writeBlocks();
        await beforeCommit(tx);
      });
      await afterCommit();
      for (const nights of newStays) knownStays.add(nights);
    },
    async removeDeparturesBefore(day) {
      // One transaction per month, so that locks are short.
      for (;;) {
        const first = (await database.sql.get`select min(departure_day) as day from offer`)?.day;
        if (typeof first !== 'number' || first >= day) return;
        const before = Math.min(day, firstDayOfMonth(monthOfDay(first) + 1));
        await database.write('price blocks', (tx) => removeOffersBefore(tx, before, runs));
      }
    },
    async reserve(work) {
      return database.tryLock(work);
    },
    async readNote(name) {
      return readNote(database, name);
    },
    async writeNote(name, value) {
      await writeNote(database, name, value);
    },
    async close() {
      await database.close();
    },
  };
}

import { firstDayOfMonth, monthOfDay } from '../../domain/month.ts';
import type { InventoryWriter } from '../inventory/inventory.ts';
import { offerTable } from '../inventory/tables/open-offer-table.ts';
import { renewReferenceVersion, writeReferenceTables } from '../inventory/tables/reference-tables.ts';
import { removeOffersBefore } from '../inventory/tables/remove-offers.ts';
import { storedCatalogue } from '../inventory/tables/stored-catalogue.ts';
import { PRICE_RUNS } from '../price-history/history-table.ts';
import { inTransaction } from '../storage/in-transaction.ts';
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
export async function inventoryWriter(
  database: SqlDatabase,
  {
    listeners = [],
    beforeCommit = async () => {},
    afterCommit = async () => {},
    recordsPrices = false,
  }: Partial<PriceEffects> & { recordsPrices?: boolean } = {},
): Promise<InventoryWriter> {
  const runs = recordsPrices ? PRICE_RUNS : null;
  const offers = await offerTable(database, { runs });
  const batch = database.engine === 'sqlite' ? BATCH : SET;
  const insertStay = database.prepare('insert into stay (nights) values (?) on conflict do nothing');
  const firstDay = database.prepare('select min(departure_day) as day from offer');
  const knownStays = new Set<number>();
  const catalogue = storedCatalogue(database);

  return {
    async replaceReference(reference) {
      await inTransaction(
        database,
        async () => {
          await writeReferenceTables(database, reference);
          await renewReferenceVersion(database);
        },
        'dictionaries',
      );
    },
    async writeOffers(uncharged, choose = async (all) => all) {
      const newStays = [...new Set(uncharged.map(([, nights]) => nights))].filter(
        (nights) => !knownStays.has(nights),
      );
      await inTransaction(
        database,
        async () => {
          // Under the lock, so that `applyCharges` misses no offer with the charge of an earlier table.
          const { charges } = await catalogue();
          const rows = (await choose(uncharged)).map(charges.charged);
          for (const nights of newStays) await insertStay.run(nights);
          for (let from = 0; from < rows.length; from += batch) {
            const some = rows.slice(from, from + batch);
            const changes = await offers.write(some);
            for (const listener of listeners) await listener.written(some, changes);
          }
          await offers.writeBlocks();
          await beforeCommit();
        },
        'offers of writers',
      );
      await afterCommit();
      for (const nights of newStays) knownStays.add(nights);
    },
    async removeDeparturesBefore(day) {
      // One transaction per month, so that locks are short.
      for (;;) {
        const first = (await firstDay.get())?.day;
        if (typeof first !== 'number' || first >= day) return;
        const before = Math.min(day, firstDayOfMonth(monthOfDay(first) + 1));
        await inTransaction(database, async () => removeOffersBefore(database, before, runs), 'price blocks');
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

import type { InventoryWriter, OfferRow } from '../inventory/inventory.ts';
import type { PriceChangeListener } from '../inventory/price-changes.ts';
import { offerTable } from '../inventory/tables/open-offer-table.ts';
import { renewReferenceVersion, writeReferenceTables } from '../inventory/tables/reference-tables.ts';
import { FIRST_SIGHTINGS } from '../price-history/price-observer.ts';
import { inTransaction } from '../storage/in-transaction.ts';
import { readNote, writeNote } from '../storage/notes.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';

export interface InventoryWriterOptions {
  /** Told of every batch that changes prices, in their order. */
  listeners?: readonly PriceChangeListener[];
  /** Whether a new offer's price is observed: the sample has a past of its own. */
  firstSightings?: boolean;
}

/** An `InventoryWriter` on an open store, which it owns and closes. */
export function inventoryWriter(
  database: SqlDatabase,
  { listeners = [], firstSightings = false }: InventoryWriterOptions = {},
): InventoryWriter {
  const offers = offerTable(database, { firstSightings: firstSightings ? FIRST_SIGHTINGS : null });
  const insertStay = database.prepare('insert into stay (nights) values (?) on conflict do nothing');
  const firstDay = database.prepare('select min(departure_day) as day from offer');
  const removeDay = database.prepare('delete from offer where departure_day = ?');
  const knownStays = new Set<number>();

  return {
    async replaceReference(reference) {
      inTransaction(database, () => {
        writeReferenceTables(database, reference);
        renewReferenceVersion(database);
      });
    },
    async writeOffers(rows) {
      const newStays = staysOf(rows).filter((nights) => !knownStays.has(nights));
      inTransaction(database, () => {
        for (const nights of newStays) insertStay.run(nights);
        const changes = offers.write(rows);
        if (changes.length > 0) for (const tell of listeners) tell(changes);
      });
      for (const nights of newStays) knownStays.add(nights);
    },
    async removeDeparturesBefore(day) {
      // A transaction a day, so that clearing a whole store never makes one that outgrows the memory.
      for (;;) {
        const first = firstDay.get()?.day;
        if (typeof first !== 'number' || first >= day) return;
        removeDay.run(first);
      }
    },
    async reserve(work) {
      return database.tryLock(work);
    },
    async readNote(name) {
      return readNote(database, name);
    },
    async writeNote(name, value) {
      writeNote(database, name, value);
    },
    async close() {
      database.close();
    },
  };
}

function staysOf(rows: readonly OfferRow[]): number[] {
  return [...new Set(rows.map(([, nights]) => nights))];
}

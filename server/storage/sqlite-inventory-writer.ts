import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from './in-transaction.ts';
import type { InventoryWriter, OfferRow } from './inventory.ts';
import { prepareOfferUpsert } from './offer-upsert.ts';
import { notePriceChanges, type PriceChangeListener } from './price-changes.ts';
import { writeReferenceTables } from './reference-tables.ts';

/** The note by which readers see that the dictionaries were replaced: another value, another set. */
export const REFERENCE_VERSION = 'reference_version';

/**
 * An `InventoryWriter` on an open embedded store, which it owns and closes. The listeners are told of every
 * batch that changes prices, in their order.
 */
export function sqliteInventoryWriter(
  database: DatabaseSync,
  listeners: readonly PriceChangeListener[] = [],
): InventoryWriter {
  const offers = prepareOfferUpsert(database);
  const priceChanges = notePriceChanges(database);
  const insertStay = database.prepare('insert or ignore into stay (nights) values (?)');
  const firstDay = database.prepare('select min(departure_day) as day from offer');
  const removeDay = database.prepare('delete from offer where departure_day = ?');
  const readNote = database.prepare('select value from note where name = ?');
  const writeNote = database.prepare(
    'insert into note (name, value) values (?, ?) on conflict (name) do update set value = excluded.value',
  );
  const knownStays = new Set<number>();

  return {
    async replaceReference(reference) {
      inTransaction(database, () => {
        writeReferenceTables(database, reference);
        writeNote.run(REFERENCE_VERSION, randomUUID());
      });
    },
    async writeOffers(rows) {
      const newStays = staysOf(rows).filter((nights) => !knownStays.has(nights));
      inTransaction(database, () => {
        for (const nights of newStays) insertStay.run(nights);
        offers.write(rows);
        const changes = priceChanges.take();
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
    async readNote(name) {
      const value = readNote.get(name)?.value;
      return typeof value === 'string' ? value : null;
    },
    async writeNote(name, value) {
      writeNote.run(name, value);
    },
    async close() {
      database.close();
    },
  };
}

function staysOf(rows: readonly OfferRow[]): number[] {
  return [...new Set(rows.map(([, nights]) => nights))];
}

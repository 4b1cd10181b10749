import { type CalendarDate, fromDayNumber } from '../../domain/calendar-date.ts';
import type { ChargeTable } from '../../domain/local-charges.ts';
import type { OfferRow } from '../inventory/inventory.ts';
import { CHARGES_NOTE } from '../inventory/inventory-notes.ts';
import { OFFER_COLUMNS } from '../inventory/offer-columns.ts';
import { renewReferenceVersion } from '../inventory/tables/reference-tables.ts';
import { storedCatalogue } from '../inventory/tables/stored-catalogue.ts';
import { inTransaction } from '../storage/in-transaction.ts';
import { readNote, writeNote } from '../storage/notes.ts';
import { openDatabase } from '../storage/open/database.ts';
import type { StoreAddress } from '../storage/store-address.ts';
import { inventoryWriter } from './inventory-writer.ts';

/** The note that is 'yes' once every offer has the charges of the store's table. */
const APPLIED_NOTE = 'local_charges.applied';

/** How many offers are written together, so that a month's prices by day are not rewritten for each day. */
const MAX_OFFERS = 50_000;

/**
 * Gives the store a table of local charges. If the table is new, rewrites the offers whose charge differs, and their
 * prices by day. Providers' prices, price history and alerts stay unchanged. After an interruption, the next call
 * completes the work. `onDay` is called now and then with the departure day that has been reached.
 */
export async function applyCharges(
  store: StoreAddress,
  table: ChargeTable,
  onDay: (day: CalendarDate) => void = () => {},
): Promise<void> {
  using database = openDatabase(store);
  const text = JSON.stringify(table);
  if (readNote(database, CHARGES_NOTE) !== text) {
    inTransaction(
      database,
      () => {
        writeNote(database, CHARGES_NOTE, text);
        writeNote(database, APPLIED_NOTE, 'no');
        renewReferenceVersion(database);
      },
      'dictionaries',
    );
  } else if (readNote(database, APPLIED_NOTE) === 'yes') return;
  const { charges } = storedCatalogue(database)();
  const writer = inventoryWriter(database);
  const bounds = database.prepare('select min(departure_day), max(departure_day) from offer').row();
  const ofDay = database.prepare(`select ${OFFER_COLUMNS.join(', ')} from offer where departure_day = ?`);
  let changed: OfferRow[] = [];
  for (let day = Number(bounds?.[0] ?? 0); day <= Number(bounds?.[1] ?? -1); day += 1) {
    for (const offer of ofDay.rows(day) as unknown as OfferRow[]) {
      if (charges.charged(offer) !== offer) changed.push(offer);
    }
    if (changed.length < MAX_OFFERS) continue;
    await writer.writeOffers(changed);
    onDay(fromDayNumber(day));
    changed = [];
  }
  await writer.writeOffers(changed);
  renewReferenceVersion(database);
  writeNote(database, APPLIED_NOTE, 'yes');
}

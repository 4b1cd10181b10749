import { setTimeout as sleep } from 'node:timers/promises';
import { type CalendarDate, fromDayNumber } from '../../domain/calendar-date.ts';
import type { ChargeTable } from '../../domain/local-charges.ts';
import type { OfferRow } from '../inventory/inventory.ts';
import { CHARGES_APPLIED, CHARGES_NOTE } from '../inventory/inventory-notes.ts';
import { OFFER_COLUMNS } from '../inventory/offer-columns.ts';
import { offerTable } from '../inventory/tables/offer-table.ts';
import { renewReferenceVersion } from '../inventory/tables/reference-tables.ts';
import { storedCatalogue } from '../inventory/tables/stored-catalogue.ts';
import { readNote, writeNote } from '../storage/notes.ts';
import { openDatabase } from '../storage/open/database.ts';
import type { SqlSession, SqlTransaction } from '../storage/sql-database.ts';
import type { StoreAddress } from '../storage/store-address.ts';

export interface ApplyOptions {
  /** Called now and then with the first departure day that is not done. */
  onDay?(day: CalendarDate): void | Promise<void>;
  /** How many offers are written together, so that a month's prices by day are not rewritten for each day. */
  maxOffers?: number;
}

const MAX_OFFERS = 50_000;

/** How many times as many offers a transaction reads. Other writers wait for it. */
const READ_FACTOR = 4;

/** Lets other writers take the embedded store's only lock. */
const PAUSE_MS = 20;

/** How long to wait for an import that is writing. */
const BUSY_MS = 1_000;

/**
 * Gives the store a table of local charges. If the table is new, rewrites the offers whose charge differs, and their
 * prices by day, beside other writers. Providers' prices, price history and alerts stay unchanged. After an
 * interruption, the next call continues. Several processes share the work.
 */
export async function applyCharges(
  store: StoreAddress,
  table: ChargeTable,
  { onDay = () => {}, maxOffers = MAX_OFFERS }: ApplyOptions = {},
): Promise<void> {
  await using database = await openDatabase(store);
  const text = JSON.stringify(table);
  if ((await readNote(database, CHARGES_NOTE)) !== text) {
    await database.write('dictionaries', async (tx) => {
      await writeNote(tx, CHARGES_NOTE, text);
      await writeNote(tx, CHARGES_APPLIED, '0');
      await renewReferenceVersion(tx);
    });
  } else if ((await readNote(database, CHARGES_APPLIED)) === 'yes') return;
  const catalogueIn = storedCatalogue();
  const dayFrom = async ({ sql }: SqlSession, day: number) => {
    const found = (await sql.get`select min(departure_day) as day from offer where departure_day >= ${day}`)
      ?.day;
    return typeof found === 'number' ? found : null;
  };

  /** Reads and writes under the locks of all writers, so that no newer offer is overwritten. */
  async function applySome(tx: SqlTransaction): Promise<number | 'busy' | 'done'> {
    const note = await readNote(tx, CHARGES_APPLIED);
    if (note === 'yes') return 'done';
    for (const { code } of await tx.sql.all<{ code: string }>`select code from provider order by code`)
      if (!(await tx.tryAlone(`offers of ${code}`))) return 'busy';
    await tx.lock('price blocks');
    await tx.cluster?.waitForCommits();
    const { charges } = await catalogueIn(tx);
    const ofDay = tx.prepare(`select ${OFFER_COLUMNS.join(', ')} from offer where departure_day = ?`);
    const changed: OfferRow[] = [];
    let read = 0;
    // 0.2.0 wrote 'no' instead of a day.
    let day = await dayFrom(tx, Number(note) || 0);
    while (day !== null && changed.length < maxOffers && read < READ_FACTOR * maxOffers) {
      for (const offer of (await ofDay.rows(day)) as unknown as OfferRow[]) {
        const charged = charges.charged(offer);
        if (charged !== offer) changed.push(charged);
        read += 1;
      }
      day = await dayFrom(tx, day + 1);
    }
    const offers = await offerTable(tx, { runs: null });
    await offers.write(changed);
    await offers.writeBlocks();
    await writeNote(tx, CHARGES_APPLIED, day === null ? 'yes' : String(day));
    if (day === null) await renewReferenceVersion(tx);
    return day ?? 'done';
  }

  for (;;) {
    const reached = await database.write('offers of writers', applySome);
    if (reached === 'done') return;
    if (reached !== 'busy') await onDay(fromDayNumber(reached));
    await sleep(reached === 'busy' ? BUSY_MS : PAUSE_MS);
  }
}

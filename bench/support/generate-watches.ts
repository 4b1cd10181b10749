import { addDays, dayNumber } from '../../domain/calendar-date.ts';
import { type PackageOnSale, packageLookup, resortKey } from '../../server/alerts/tables/package-lookup.ts';
import type { OfferRow } from '../../server/inventory/inventory.ts';
import { OFFER_COLUMNS } from '../../server/inventory/offer-columns.ts';
import type { SqlDatabase } from '../../server/storage/sql-database.ts';

const WATCHED = 50_000;

/** Over how many departure days the watches are spread: the range that visitors can search. */
const DAYS = 540;

/**
 * Inserts active watches for packages like the store's offers on various days, each for a different person.
 */
export async function addGeneratedWatches(database: SqlDatabase, watches: number): Promise<void> {
  const packages = packageLookup(database);
  const count = Number((await database.prepare('select count(*) from offer').row())?.[0]);
  const step = Math.max(1, Math.floor(count / WATCHED));
  const offers: OfferRow[] = [];
  let nth = 0;
  for await (const row of database.prepare(`select ${OFFER_COLUMNS.join(', ')} from offer`).iterate()) {
    if (nth % step === 0) offers.push(row as unknown as OfferRow);
    nth += 1;
  }
  const read = await (await packages.batchReader())(offers);
  const known = offers.map(read);
  await addWatches(
    database,
    Array.from({ length: watches }, (_, index) => {
      const one = known[(index * 7919) % known.length];
      return one && { ...one, ...laterBy(one, (index * 31) % DAYS) };
    }),
  );
}

function laterBy({ departure, departsAt }: PackageOnSale, days: number): Partial<PackageOnSale> {
  return { departure: addDays(departure, days), departsAt: departsAt + days * 86_400_000 };
}

/** Inserts an active watch for each package, each for a different person. Skips undefined packages. */
export async function addWatches(
  database: SqlDatabase,
  packages: readonly (PackageOnSale | undefined)[],
): Promise<void> {
  const watched = packages.filter((known) => known !== undefined);
  const sealed = new Uint8Array(40);
  await database.write('records', async (tx) => {
    await tx.addRows(
      'alert_contact',
      ['contact_key', 'contact_sealed', 'created_at'],
      watched.map((_, index) => [`bench ${index}`, sealed, 0]),
    );
    const people = await tx
      .prepare(`select id from alert_contact where contact_key like 'bench %' order by id`)
      .rows();
    await tx.addRows(
      'alert_watch',
      WATCH_COLUMNS,
      watched.map((known, index) => [
        Number(people[index]?.[0]),
        1,
        known.itemKey,
        resortKey(known),
        known.nights,
        known.party,
        dayNumber(known.departure),
        known.airport,
        known.board,
        known.halfStars,
        known.departsAt,
        'active',
        0,
        0,
      ]),
    );
  });
}

const WATCH_COLUMNS = [
  'contact',
  'number',
  'item_key',
  'resort',
  'nights',
  'party',
  'departure_day',
  'airport',
  'board',
  'half_stars',
  'departs_at',
  'state',
  'started',
  'created_at',
];

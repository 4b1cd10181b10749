import { addDays, dayNumber } from '../../domain/calendar-date.ts';
import { londonClock } from '../../domain/london-time.ts';
import { BEST_COLUMNS, goneAt, packagesFound } from '../../server/alerts/matching/search-looks.ts';
import { placesOf, readWatchedSearch } from '../../server/alerts/matching/watched-search.ts';
import { type PackageOnSale, packageLookup, resortKey } from '../../server/alerts/tables/package-lookup.ts';
import { SEARCH_TRAITS } from '../../server/alerts/tables/search-watches.ts';
import type { OfferRow } from '../../server/inventory/inventory.ts';
import { totalPrice } from '../../server/inventory/offer-charges.ts';
import { OFFER_COLUMNS } from '../../server/inventory/offer-columns.ts';
import { batchesOf } from '../../server/lib/batches.ts';
import { mapInOrder } from '../../server/lib/map-in-order.ts';
import type { SqlDatabase, SqlSession, SqlValue } from '../../server/storage/sql-database.ts';

const WATCHED = 50_000;

/** Watches per transaction: PostgreSQL ends one that waits while a million rows are made. */
const AT_ONCE = 50_000;

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
  const { read } = await packages.reader(offers);
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
  let added = 0;
  for (const some of batchesOf(watched, AT_ONCE)) {
    await database.write('records', (tx) => add(tx, some));
    added += some.length;
  }

  async function add(tx: SqlSession, some: readonly PackageOnSale[]): Promise<void> {
    await tx.addRows(
      'alert_contact',
      ['contact_key', 'contact_sealed', 'created_at'],
      some.map((_, index) => [`bench ${added + index}`, sealed, 0]),
    );
    const people = await tx
      .prepare(`select id from alert_contact where contact_key like 'bench %' order by id desc limit ?`)
      .rows(some.length);
    await tx.addRows(
      'alert_watch',
      WATCH_COLUMNS,
      some.map((known, index) => [
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
  }
}

const PLACES = [
  ({ country }: PackageOnSale) => ({ country }),
  ({ country, region }: PackageOnSale) => ({ country, region }),
  ({ country, region, resort }: PackageOnSale) => ({ country, region, resort }),
] as const;

/** Every tenth watch has sent a price, which is its limit. The others wait for 2% less. */
const TOLD_EACH = 10;

/**
 * Gives the people of `addWatches` a second watch each: of a search for a package's day, nights, party and airport, in
 * its resort, region or country, three days around and with all boards.
 */
export async function addSearchWatches(
  database: SqlDatabase,
  found: readonly PackageOnSale[],
  { watches, now }: { watches: number; now: number },
): Promise<void> {
  const searches = await mapInOrder(found.entries(), async ([nth, one]) => {
    const [adults = '', children = '', infants = ''] = one.party.split('-');
    const query = new URLSearchParams({
      ...PLACES[nth % PLACES.length]?.(one),
      from: one.airport,
      date: one.departure,
      flex: '3',
      nights: String(one.nights),
      adults,
      children,
      infants,
    });
    const search = readWatchedSearch(query.toString());
    if (search === null) throw new Error(`Not a search: ${query.toString()}`);
    const [best] = await packagesFound(database, `?${search.query}`, 1, now);
    if (best === undefined) throw new Error(`Nothing found: ${search.query}`);
    return { itemKey: `?${search.query}`, best, ...placesOf(search), departsAt: one.departsAt };
  });
  const today = dayNumber(londonClock(now).day);
  const everybody = await database
    .prepare(`select id from alert_contact where contact_key like 'bench %' order by id limit ${watches}`)
    .rows();
  for (const people of batchesOf(everybody, AT_ONCE))
    await database.write('records', (tx) => add(tx, people));

  async function add(tx: SqlSession, people: readonly SqlValue[][]): Promise<void> {
    const searchOf = (nth: number) => searches[(nth * 7919) % searches.length] as (typeof searches)[number];
    await tx.addRows(
      'alert_watch',
      WATCH_COLUMNS,
      people.map(([contact], nth) => {
        const { itemKey, values, party, departsAt } = searchOf(nth);
        const [, , lastDay = 0, nights = 0] = values;
        return [
          Number(contact),
          2,
          itemKey,
          '//',
          nights,
          party,
          lastDay,
          '',
          '',
          0,
          departsAt,
          'active',
          0,
          0,
        ];
      }),
    );
    const ids = await tx
      .prepare('select id from alert_watch where number = 2 and contact >= ? order by id')
      .rows(Number(people[0]?.[0]));
    const rows = ids.map(([id], nth) => ({
      id: Number(id),
      ...searchOf(nth),
      isTold: nth % TOLD_EACH === 0,
    }));
    await tx.addRows(
      'alert_search',
      ['watch', 'limit_price', 'told', 'was', 'began', 'has_begun', 'looked_day'],
      rows.map(({ id, best, isTold }) => {
        const total = totalPrice(best);
        return [id, isTold ? total : Math.floor(total * 0.98), isTold ? total : null, total, total, 1, today];
      }),
    );
    await tx.addRows(
      'alert_search_place',
      ['place', 'party', 'watch', ...SEARCH_TRAITS, 'fires_below'],
      rows.flatMap(({ id, places, party, values, best, isTold }) =>
        places.map((place) => [
          place,
          party,
          id,
          ...values,
          isTold ? totalPrice(best) : Math.floor(totalPrice(best) * 0.98) + 1,
        ]),
      ),
    );
    await tx.addRows(
      'alert_search_best',
      ['watch', ...BEST_COLUMNS, 'gone_at', 'rearms_from'],
      rows
        .filter(({ isTold }) => isTold)
        .map(({ id, best }) => [
          id,
          ...BEST_COLUMNS.map((column) => Number(best[OFFER_COLUMNS.indexOf(column)])),
          goneAt(best),
          Math.ceil(totalPrice(best) * 1.05),
        ]),
    );
  }
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

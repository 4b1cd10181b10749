import { dayNumber, fromDayNumber } from '../../../domain/calendar-date.ts';
import { isSimilarPackage, SIMILAR_DAYS } from '../../../domain/similar-package.ts';
import type { SqlSession } from '../../storage/sql-database.ts';
import { jsonRows } from '../tables/json-rows.ts';
import { type PackageLookup, type PackageOnSale, resortKey } from '../tables/package-lookup.ts';

/** An active watch for a package's resort, nights and party, with an airport and day near the package's. */
export interface NearbyWatch {
  id: number;
  contact: number;
  airport: string;
  board: string;
  half_stars: number;
  departure_day: number;
  /** The logical time of the watch's last alert about the package, or of its start if there was no alert. */
  since: number;
}

/** The traits in which similar packages may differ from the watched one. */
type WatchedTraits = Pick<NearbyWatch, 'airport' | 'board' | 'half_stars' | 'departure_day'>;

/** Rows of `nearbyOf` by key. */
const ASKED = `with asked as materialized (select key, value ->> 0 as place, cast(value ->> 1 as bigint) as stay,
    value ->> 2 as who, cast(value ->> 3 as bigint) as first, cast(value ->> 4 as bigint) as last, value ->> 5 as code,
    value ->> 6 as package, cast(value ->> 7 as bigint) as stars from json_each(?))`;

const IS_NEARBY = `state = 'active' and resort = place and nights = stay and party = who
  and departure_day between first and last and airport = code`;

/** `limit` makes PostgreSQL use the index: with `exists` and without statistics, it sorts all watches. */
const WATCHED = `${ASKED} select key from asked
  where (select 1 from alert_watch where ${IS_NEARBY} limit 1) = 1`;

const WATCHES = `${ASKED} select key, id, contact, airport, board, half_stars, departure_day,
    coalesce(alert_told.moment, started) as since
  from asked cross join alert_watch left join alert_told on watch = id and alert_told.item_key = package
  where ${IS_NEARBY} and half_stars <= stars and departs_at > ?
    and not exists (select 1 from alert_message as queued
      where queued.contact = alert_watch.contact and queued.state = 'queued' and queued.kind = 'drop')`;

/** What `IS_NEARBY` needs, once for each airport near a package's: sharing a region is symmetric. */
function nearbyOf(packages: PackageLookup, offer: PackageOnSale): (string | number)[][] {
  const day = dayNumber(offer.departure);
  const kind = [resortKey(offer), offer.nights, offer.party, day - SIMILAR_DAYS, day + SIMILAR_DAYS];
  return [...packages.airportsNear(offer.airport)].map((airport) => [...kind, airport]);
}

/** Finds the packages of a batch that have a nearby watch, with one query for all. */
export function watchedPackageFinder(tx: SqlSession, packages: PackageLookup) {
  const find = tx.prepare(WATCHED);
  return async (offers: readonly PackageOnSale[]): Promise<ReadonlySet<PackageOnSale>> => {
    // Many packages of a batch differ only in hotel, room and board.
    const alike = Map.groupBy(offers, ({ offer: [day, nights, party, , , resort, airport] }) =>
      [day, nights, party, resort, airport].join(' '),
    );
    const asked = [...alike.values()].flatMap((group) =>
      nearbyOf(packages, group[0] as PackageOnSale).map((row) => ({ group, row })),
    );
    if (asked.length === 0) return new Set();
    const found = await find.rows(jsonRows(asked.map(({ row }) => row)));
    return new Set(found.flatMap(([key]) => asked[Number(key)]?.group ?? []));
  };
}

/** Finds packages' nearby watches, except those that want more stars or belong to people with a queued alert. */
export function nearbyWatchFinder(tx: SqlSession, packages: PackageLookup) {
  const find = tx.prepare(WATCHES);
  return async <T extends { offer: PackageOnSale }>(
    items: readonly T[],
    at: number,
  ): Promise<[T, NearbyWatch][]> => {
    const asked = items.flatMap((item) =>
      nearbyOf(packages, item.offer).map((row) => ({
        item,
        row: [...row, item.offer.itemKey, item.offer.halfStars],
      })),
    );
    if (asked.length === 0) return [];
    const found = await find.all(jsonRows(asked.map(({ row }) => row)), at);
    return found.flatMap(({ key, ...watch }) => {
      const one = asked[Number(key)];
      return one === undefined ? [] : [[one.item, watch as unknown as NearbyWatch]];
    });
  };
}

/** Whether a package with the same resort, nights and party is similar enough to a watch's own. */
export function coversPackage(
  { airport, board, half_stars, departure_day }: WatchedTraits,
  offer: PackageOnSale,
  packages: PackageLookup,
): boolean {
  const departure = fromDayNumber(departure_day);
  const watched = { ...offer, airport, board, departure, halfStars: half_stars };
  return isSimilarPackage(watched, offer, packages.airportsNear(airport));
}

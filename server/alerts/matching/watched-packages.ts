import { dayNumber, fromDayNumber } from '../../../domain/calendar-date.ts';
import { isSimilarPackage, SIMILAR_DAYS } from '../../../domain/similar-package.ts';
import { mapInOrder } from '../../lib/map-in-order.ts';
import type { SqlInput, SqlSession } from '../../storage/sql-database.ts';
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

/**
 * Finds the packages of a batch that have a nearby watch. In SQLite, runs one query for each group of alike
 * packages; in PostgreSQL, one for each batch.
 */
export function watchedPackageFinder(tx: SqlSession, packages: PackageLookup) {
  const find = tx.engine === 'postgresql' ? findByBatch(tx) : findOneByOne(tx);
  return async (offers: readonly PackageOnSale[]): Promise<ReadonlySet<PackageOnSale>> => {
    const groups = alikeOf(packages, offers);
    return new Set(groups.length === 0 ? [] : (await find(groups)).flatMap(({ alike }) => alike));
  };
}

type FindWatched = (groups: readonly AlikePackages[]) => Promise<AlikePackages[]>;

function findOneByOne(tx: SqlSession): FindWatched {
  const found = tx.prepare(`select 1 from alert_watch where ${isNearby(tx)} limit 1`);
  return async (groups) => {
    const rows = await mapInOrder(groups, ({ values }) => found.row(...values));
    return groups.filter((_, nth) => rows[nth] !== undefined);
  };
}

/** `limit` makes PostgreSQL use the index: with `exists` and without statistics, it sorts all watches. */
function findByBatch(tx: SqlSession): FindWatched {
  const found = tx.prepare(`
    select nth from json_to_recordset(?) as asked
        (nth integer, resort text, nights bigint, party text, first bigint, last bigint, airports text[]),
      lateral (
        select from alert_watch where state = 'active' and resort = asked.resort and nights = asked.nights
          and party = asked.party and departure_day between asked.first and asked.last
          and airport = any(asked.airports) limit 1
      ) as watched`);
  return async (groups) => {
    const asked = groups.map(({ values: [resort, nights, party, first, last, airports] }, nth) => ({
      nth,
      resort,
      nights,
      party,
      first,
      last,
      airports,
    }));
    return (await found.rows(JSON.stringify(asked))).flatMap(([nth]) => groups[Number(nth)] ?? []);
  };
}

/** Packages with the same nearby watches. Many packages of a batch differ only in hotel, room and board. */
interface AlikePackages {
  values: SqlInput[];
  alike: PackageOnSale[];
}

function alikeOf(packages: PackageLookup, offers: readonly PackageOnSale[]): AlikePackages[] {
  const groups = new Map<string, AlikePackages>();
  for (const offer of offers) {
    const [day, nights, party, , , resort, airport] = offer.offer;
    const key = `${day} ${nights} ${party} ${resort} ${airport}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { values: nearbyValues(packages, offer), alike: [offer] });
    else group.alike.push(offer);
  }
  return [...groups.values()];
}

/** Finds a package's nearby watches, except those that want more stars or belong to people with a queued alert. */
export function nearbyWatchFinder(
  tx: SqlSession,
  packages: PackageLookup,
): (offer: PackageOnSale, at: number) => Promise<NearbyWatch[]> {
  const found = tx.prepare(`select id, contact, airport, board, half_stars, departure_day,
      coalesce(alert_told.moment, started) as since
    from alert_watch left join alert_told on watch = id and alert_told.item_key = ?
    where ${isNearby(tx)} and half_stars <= ? and departs_at > ? and not exists (
      select 1 from alert_message as queued
      where queued.contact = alert_watch.contact and queued.state = 'queued' and queued.kind = 'drop')`);
  return async (offer, at) =>
    (await found.all(
      offer.itemKey,
      ...nearbyValues(packages, offer),
      offer.halfStars,
      at,
    )) as unknown as NearbyWatch[];
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

/** The SQL condition that a watch is near a package. */
function isNearby({ anyOf }: Pick<SqlSession, 'anyOf'>): string {
  return `state = 'active' and resort = ? and nights = ? and party = ?
    and departure_day between ? and ? and ${anyOf('airport')}`;
}

/** The values for `isNearby`. Airports near the package's suffice, because sharing a region is symmetric. */
function nearbyValues(packages: PackageLookup, offer: PackageOnSale): SqlInput[] {
  const day = dayNumber(offer.departure);
  const airports = [...packages.airportsNear(offer.airport)];
  return [resortKey(offer), offer.nights, offer.party, day - SIMILAR_DAYS, day + SIMILAR_DAYS, airports];
}

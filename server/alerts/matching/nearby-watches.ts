import { dayNumber } from '../../../domain/calendar-date.ts';
import { SIMILAR_DAYS } from '../../../domain/similar-package.ts';
import type { SqlDatabase, SqlInput } from '../../storage/sql-database.ts';
import type { KnownPackage, KnownPackages } from '../records/package-lookup.ts';
import { resortKey } from '../records/watches.ts';

/** The condition that an active watch is near a package: its resort, nights and party, its airports and days. */
export function nearWatches({ anyOf }: Pick<SqlDatabase, 'anyOf'>): string {
  return `state = 'active' and resort = ? and nights = ? and party = ?
    and departure_day between ? and ? and ${anyOf('airport')}`;
}

/** The values of that condition. Whose regions an airport stands in, those stand in its own. */
export function nearValues(packages: KnownPackages, offer: KnownPackage): SqlInput[] {
  const day = dayNumber(offer.departure);
  const airports = [...packages.airportsNear(offer.airport)];
  return [resortKey(offer), offer.nights, offer.party, day - SIMILAR_DAYS, day + SIMILAR_DAYS, airports];
}

/** Tells which of a batch's packages some watch is near. */
export type WatchedAmong = (offers: readonly KnownPackage[]) => ReadonlySet<KnownPackage>;

/** Asked of a store in the process once a package, of one across a wire once a batch. */
export function watchedAmong(database: SqlDatabase, packages: KnownPackages): WatchedAmong {
  if (database.engine === 'postgresql') return watchedInOneAnswer(database, packages);
  const found = database.prepare(`select 1 from alert_watch where ${nearWatches(database)} limit 1`);
  return (offers) => {
    // Neighbours in a batch differ in their hotels and boards, and are near the same watches.
    const answers = new Map<string, boolean>();
    return new Set(
      offers.filter((offer) => {
        const near = nearValues(packages, offer);
        const key = JSON.stringify(near);
        const answer = answers.get(key) ?? found.row(...near) !== undefined;
        answers.set(key, answer);
        return answer;
      }),
    );
  };
}

function watchedInOneAnswer(database: SqlDatabase, packages: KnownPackages): WatchedAmong {
  const found = database.prepare(`
    select nth from json_to_recordset(?) as asked
      (nth integer, resort text, nights bigint, party text, first bigint, last bigint, airports text[])
    where exists (
      select from alert_watch where state = 'active' and resort = asked.resort and nights = asked.nights
        and party = asked.party and departure_day between asked.first and asked.last
        and airport = any(asked.airports)
    )`);
  return (offers) => {
    const asked = offers.map((offer, nth) => {
      const [resort, nights, party, first, last, airports] = nearValues(packages, offer);
      return { nth, resort, nights, party, first, last, airports };
    });
    const rows = found.rows(JSON.stringify(asked)) as unknown as [number][];
    return new Set(rows.map(([nth]) => offers[nth]).filter((offer) => offer !== undefined));
  };
}

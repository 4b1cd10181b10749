import { dayNumber } from '../domain/calendar-date.ts';
import { knownPackages } from '../server/alerts/known-packages.ts';
import { resortKey } from '../server/alerts/watches.ts';
import type { OfferRow } from '../server/storage/inventory.ts';
import { OFFER_COLUMNS } from '../server/storage/offer-columns.ts';
import type { SqlDatabase } from '../server/storage/sql-database.ts';

/** Offers that the watches are spread over. */
const WATCHED = 50_000;

/** Days of departures that they are spread over: as far ahead as visitors can search. */
const DAYS = 540;

/**
 * Puts active watches into a store, each of a person of its own, like its offers but for their days: most watch what
 * another day has.
 */
export function addMadeUpWatches(database: SqlDatabase, watches: number): void {
  const packages = knownPackages(database);
  const count = Number(database.prepare('select count(*) from offer').row()?.[0]);
  const step = Math.max(1, Math.floor(count / WATCHED));
  const known = database
    .prepare(`select ${OFFER_COLUMNS.join(', ')} from offer`)
    .rows()
    .filter((_, index) => index % step === 0)
    .map((row) => packages.read(row as unknown as OfferRow));
  const person = database.prepare(
    'insert into alert_person (number_key, number_sealed, created_at) values (?, ?, 0) returning id',
  );
  const watch = database.prepare(`insert into alert_watch (person, number, item_key, resort, nights, party,
    departure_day, airport, board, half_stars, departs_at, state, started, created_at)
    values (?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'active', 0, 0)`);
  database.begin();
  for (let index = 0; index < watches; index += 1) {
    const offer = known[(index * 7919) % known.length];
    if (offer === undefined) continue;
    const { departure, departsAt, itemKey, nights, party, airport, board, halfStars } = offer;
    const later = (index * 31) % DAYS;
    const id = Number(person.row(`bench ${index}`, new Uint8Array(40))?.[0]);
    watch.run(
      id,
      itemKey,
      resortKey(offer),
      nights,
      party,
      dayNumber(departure) + later,
      airport,
      board,
      halfStars,
      departsAt + later * 86_400_000,
    );
  }
  database.commit();
}

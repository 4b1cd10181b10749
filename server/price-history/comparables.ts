import type { Pence } from '../../domain/money.ts';
import { MIN_HOTELS, MIN_PRICES } from '../../domain/price-verdict.ts';
import { nationOfAirport } from '../../domain/uk-nation.ts';
import type { AirportNeighbours } from '../inventory/airport-neighbours.ts';
import { type Catalogue, recordOf } from '../inventory/catalogue.ts';
import type { OfferRow } from '../inventory/inventory.ts';
import { OFFER } from '../inventory/offer-columns.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import { BOARD_CLASSES } from './board-classes.ts';
import { holidayName } from './model/price-traits.ts';

/** Comparable packages depart within this many days either side. */
const WINDOW_DAYS = 7;

/** The current prices of comparable packages. */
export interface Comparables {
  prices: Pence[];
  /** The number of hotels of these packages. */
  hotels: number;
  /** The package's own resort, or its region if the resort has too few. */
  within: 'resort' | 'region';
  /** The first and the last day of departure that was searched. */
  firstDay: number;
  lastDay: number;
}

/** Finds the packages that are comparable with an offer; `now` is in minutes since the epoch. */
export type FindComparables = (offer: OfferRow, now: number) => Comparables;

type Candidate = [
  day: number,
  airport: number,
  hotel: number,
  board: number,
  price: Pence,
  halfStars: number,
];

/**
 * Comparable packages are in other hotels and depart within a week either side, in the same school or bank holiday or
 * outside all of them like the package. They have the same nights, party and class of board, stars within half a star,
 * and a departure airport of the same region. They are in the same resort, or in the same region if the resort has fewer
 * packages or hotels than a verdict needs. Their prices were seen within the last `staleAfterDays`. Adjacent classes of
 * board are excluded: they would bias the cheapest and the dearest class. Rows are cached across packages, so create one
 * finder per batch.
 */
export function comparablesFinder(
  database: SqlDatabase,
  catalogue: Catalogue,
  neighbours: AirportNeighbours,
  staleAfterDays: number,
): FindComparables {
  const columns = 'departure_day, airport, hotel, board, price, half_stars';
  // A list of days: a range would use only the first column of the key.
  const days = `${database.anyOf('departure_day')} and nights = ? and party = ? and expires_at > ? and seen_at >= ?`;
  const inResort = database.prepare(
    `select ${columns} from offer where ${days} and country = ? and region = ? and resort = ?`,
  );
  const inRegion = database.prepare(
    `select ${columns} from offer where ${days} and country = ? and region = ?`,
  );
  const cache = new Map<string, Candidate[]>();

  function candidates(offer: OfferRow, within: Comparables['within'], now: number): Candidate[] {
    const [day, nights, party, country, region, resort] = offer;
    const cacheKey = [within, day, nights, party, country, region, within === 'resort' && resort].join();
    const cached = cache.get(cacheKey);
    if (cached !== undefined) return cached;
    const first = Math.max(day - WINDOW_DAYS, Math.floor(now / 1440));
    const length = Math.max(0, day + WINDOW_DAYS - first + 1);
    const dayList = Array.from({ length }, (_, index) => first + index);
    const seenFrom = now - staleAfterDays * 1440;
    const place = within === 'resort' ? [country, region, resort] : [country, region];
    const rows = (within === 'resort' ? inResort : inRegion).rows(
      dayList,
      nights,
      party,
      now,
      seenFrom,
      ...place,
    );
    cache.set(cacheKey, rows as unknown as Candidate[]);
    return rows as unknown as Candidate[];
  }

  return (offer, now) => {
    const boards = idsOf(
      catalogue.boards,
      boardsOfSameClass(recordOf(catalogue.boards, offer[OFFER.board]).code),
    );
    const airportCode = recordOf(catalogue.airports, offer[OFFER.airport]).code;
    const airports = idsOf(catalogue.airports, [...neighbours(airportCode)]);
    const [departureDay] = offer;
    const holidayOn = (day: number) => holidayName(day, nationOfAirport(airportCode));
    const holiday = holidayOn(departureDay);
    const firstDay = Math.max(departureDay - WINDOW_DAYS, Math.floor(now / 1440));
    const days = Array.from(
      { length: departureDay + WINDOW_DAYS - firstDay + 1 },
      (_, index) => firstDay + index,
    ).filter((day) => holidayOn(day) === holiday);
    const likeDays = new Set(days);
    const within = (place: Comparables['within']): Comparables => {
      const like = candidates(offer, place, now).filter(
        ([day, airport, hotel, board, , halfStars]) =>
          hotel !== offer[OFFER.hotel] &&
          likeDays.has(day) &&
          Math.abs(halfStars - offer[OFFER.halfStars]) <= 1 &&
          boards.has(board) &&
          airports.has(airport),
      );
      return {
        prices: like.map(([, , , , price]) => price),
        hotels: new Set(like.map(([, , hotel]) => hotel)).size,
        within: place,
        firstDay: days[0] ?? departureDay,
        lastDay: days.at(-1) ?? departureDay,
      };
    };
    const near = within('resort');
    return near.prices.length >= MIN_PRICES && near.hotels >= MIN_HOTELS ? near : within('region');
  };
}

function idsOf(
  records: ReadonlyMap<number, { id: number; code: string }>,
  codes: readonly string[],
): ReadonlySet<number> {
  return new Set([...records.values()].filter(({ code }) => codes.includes(code)).map(({ id }) => id));
}

/** The board codes of the same class, including the code itself. */
function boardsOfSameClass(code: string): readonly string[] {
  return BOARD_CLASSES.find((codes) => codes.includes(code)) ?? [code];
}

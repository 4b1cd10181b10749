import type { Pence } from '../../domain/money.ts';
import { MIN_HOTELS, MIN_PRICES } from '../../domain/price-verdict.ts';
import { nationOfAirport, type UkNation } from '../../domain/uk-nation.ts';
import type { AirportNeighbours } from '../inventory/airport-neighbours.ts';
import { type Catalogue, recordOf } from '../inventory/catalogue.ts';
import type { OfferRow } from '../inventory/inventory.ts';
import { OFFER } from '../inventory/offer-columns.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import { BOARD_CLASSES } from './board-classes.ts';
import { holidayName } from './model/price-traits.ts';
import type { ConvertParty } from './party-conversion.ts';

/** Comparable packages depart within this many days either side. */
const WINDOW_DAYS = 7;

/** The current prices of comparable packages. */
export interface Comparables {
  prices: Pence[];
  /** How many of them are prices for other parties, converted to the offer's party. */
  converted: number;
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
  party: number,
  airport: number,
  hotel: number,
  board: number,
  room: number,
  price: Pence,
  halfStars: number,
];

/** Where comparable packages are looked for, in this order, until there are enough for a verdict. */
const SEARCHES = [
  { within: 'resort', parties: 'same' },
  { within: 'region', parties: 'same' },
  { within: 'resort', parties: 'any' },
  { within: 'region', parties: 'any' },
] as const;

type Search = (typeof SEARCHES)[number];

/**
 * Comparable packages are in other hotels and depart within a week either side, in the same school or bank holiday or
 * outside all of them like the package. They have the same nights, party and class of board, stars within half a star,
 * and a departure airport of the same region. They are in the same resort, or in the same region if the resort has fewer
 * packages or hotels than a verdict needs. If the region has too few as well, those of other parties count too, with their
 * prices converted by `convert`; null for never. Prices were seen within the last `staleAfterDays`. Adjacent classes of
 * board are excluded: they would bias the cheapest and the dearest class. Rows are cached across packages, so create one
 * finder per batch.
 */
export function comparablesFinder(
  database: SqlDatabase,
  catalogue: Catalogue,
  neighbours: AirportNeighbours,
  staleAfterDays: number,
  convert: ConvertParty | null,
): FindComparables {
  const candidates = candidateReader(database, catalogue, staleAfterDays);
  return (offer, now) => {
    const boards = idsOf(
      catalogue.boards,
      boardsOfSameClass(recordOf(catalogue.boards, offer[OFFER.board]).code),
    );
    const airportCode = recordOf(catalogue.airports, offer[OFFER.airport]).code;
    const airports = idsOf(catalogue.airports, [...neighbours(airportCode)]);
    const days = likeDays(offer[OFFER.departureDay], nationOfAirport(airportCode), now);
    const found = (search: Search): Comparables => {
      const like = candidates(offer, search, now).filter(
        ([day, , airport, hotel, board, , , halfStars]) =>
          hotel !== offer[OFFER.hotel] &&
          days.has(day) &&
          Math.abs(halfStars - offer[OFFER.halfStars]) <= 1 &&
          boards.has(board) &&
          airports.has(airport),
      );
      const priced = like.flatMap(([, party, , hotel, , room, price]) => {
        if (party === offer[OFFER.party]) return [{ hotel, price, isConverted: false }];
        const factor = convert?.(offer, { hotel, party, room }) ?? null;
        return factor === null ? [] : [{ hotel, price: Math.round(price * factor), isConverted: true }];
      });
      return {
        prices: priced.map(({ price }) => price),
        converted: priced.filter(({ isConverted }) => isConverted).length,
        hotels: new Set(priced.map(({ hotel }) => hotel)).size,
        within: search.within,
        // A departure of yesterday may have no like day from today on.
        firstDay: [...days].at(0) ?? offer[OFFER.departureDay],
        lastDay: [...days].at(-1) ?? offer[OFFER.departureDay],
      };
    };
    let best: Comparables | null = null;
    for (const search of SEARCHES) {
      if (search.parties === 'any' && convert === null) continue;
      const next = found(search);
      if (isEnough(next)) return next;
      if (search.parties === 'same') best = next;
    }
    return best ?? found(SEARCHES[0]);
  };
}

function isEnough({ prices, hotels }: Comparables): boolean {
  return prices.length >= MIN_PRICES && hotels >= MIN_HOTELS;
}

/** Reads the packages of a place around an offer's departure, once for each batch. */
function candidateReader(
  database: SqlDatabase,
  catalogue: Catalogue,
  staleAfterDays: number,
): (offer: OfferRow, search: Search, now: number) => Candidate[] {
  const columns = 'departure_day, party, airport, hotel, board, room, price, half_stars';
  // Lists of days and parties: a range would use only the first column of the key.
  const keys = `${database.anyOf('departure_day')} and nights = ? and ${database.anyOf('party')} and expires_at > ? and seen_at >= ?`;
  const inResort = database.prepare(
    `select ${columns} from offer where ${keys} and country = ? and region = ? and resort = ?`,
  );
  const inRegion = database.prepare(
    `select ${columns} from offer where ${keys} and country = ? and region = ?`,
  );
  const cache = new Map<string, Candidate[]>();
  return (offer, { within, parties }, now) => {
    const [day, nights, party, country, region, resort] = offer;
    const cacheKey = [
      within,
      parties === 'same' ? party : parties,
      day,
      nights,
      country,
      region,
      within === 'resort' && resort,
    ].join();
    const cached = cache.get(cacheKey);
    if (cached !== undefined) return cached;
    const first = Math.max(day - WINDOW_DAYS, Math.floor(now / 1440));
    const length = Math.max(0, day + WINDOW_DAYS - first + 1);
    const days = Array.from({ length }, (_, index) => first + index);
    database.requireDays(days);
    const rows = (within === 'resort' ? inResort : inRegion).rows(
      days,
      nights,
      parties === 'same' ? [party] : [...catalogue.parties.keys()],
      now,
      now - staleAfterDays * 1440,
      ...(within === 'resort' ? [country, region, resort] : [country, region]),
    );
    cache.set(cacheKey, rows as unknown as Candidate[]);
    return rows as unknown as Candidate[];
  };
}

/** The days from today on, within a week of a departure, that are in the same holiday or in none like it. */
function likeDays(departureDay: number, nation: UkNation, now: number): ReadonlySet<number> {
  const first = Math.max(departureDay - WINDOW_DAYS, Math.floor(now / 1440));
  const length = Math.max(0, departureDay + WINDOW_DAYS - first + 1);
  const holiday = holidayName(departureDay, nation);
  return new Set(
    Array.from({ length }, (_, index) => first + index).filter((day) => holidayName(day, nation) === holiday),
  );
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

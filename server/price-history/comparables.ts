import { londonDay } from '../../domain/london-time.ts';
import type { Pence } from '../../domain/money.ts';
import { nationOfAirport, type UkNation } from '../../domain/uk-nation.ts';
import type { AirportNeighbours } from '../inventory/airport-neighbours.ts';
import { type Catalogue, recordOf } from '../inventory/catalogue.ts';
import type { Offer } from '../inventory/offer.ts';
import { TOTAL_SQL } from '../inventory/offer-charges.ts';
import type { SqlSession } from '../storage/sql-database.ts';
import { holidayName } from './model/price-traits.ts';

/** Days either side of the departure. The first window without too many candidates is used. */
const WINDOWS_DAYS = [7, 3, 1, 0];

/** The most packages of a place to read for one verdict, which limits time and memory in a crowded place. */
const MAX_CANDIDATES = 20_000;

const ALL = 2 ** 31 - 1;

/** Fewer similar packages, or in fewer hotels, are not compared. */
const MIN_PRICES = 7;
const MIN_HOTELS = 3;

type Candidate = readonly [
  day: number,
  party: number,
  airport: number,
  hotel: number,
  board: number,
  room: number,
  price: Pence,
  halfStars: number,
];

/** The current prices of comparable packages, converted to one party and room. */
export interface Comparables {
  prices: Pence[];
  /** How many of these prices are converted from other parties or rooms. */
  converted: number;
  /** How many different hotels these packages are in. */
  hotels: number;
  /** The package's own resort, or its region if the resort has too few. */
  within: 'resort' | 'region';
  /** The first and last departure day searched. */
  firstDay: number;
  lastDay: number;
}

/** Finds the packages comparable with an offer; `now` is in minutes since the epoch. */
export type FindComparables = (offer: Offer, now: number) => Promise<Comparables>;

/**
 * The factor that converts another hotel's price for another party or room into one for an offer's party and
 * room; null if the model knows too little about one of them.
 */
export type ConvertParty = (
  offer: Offer,
  other: { hotel: number; party: number; room: number },
) => number | null;

/** Where to search for comparable packages, in this order, until there are enough. */
const SEARCHES = [
  { within: 'resort', parties: 'same' },
  { within: 'region', parties: 'same' },
  { within: 'resort', parties: 'any' },
  { within: 'region', parties: 'any' },
] as const;

type Search = (typeof SEARCHES)[number];

/**
 * Finds comparable packages by the rules of docs/price-analysis.md. Without `convert`, other parties are left
 * out, and rooms count as equal. Excludes prices older than `staleAfterDays`. Caches rows, so create one finder
 * per batch.
 */
export function comparablesFinder(
  database: SqlSession,
  catalogue: Catalogue,
  neighbours: AirportNeighbours,
  staleAfterDays: number,
  convert: ConvertParty | null,
  mostCandidates = MAX_CANDIDATES,
): FindComparables {
  const candidates = candidateReader(database, catalogue, staleAfterDays, mostCandidates);
  return async (offer, now) => {
    const boards = idsOf(catalogue.boards, boardsOfSameClass(recordOf(catalogue.boards, offer.board).code));
    const airportCode = recordOf(catalogue.airports, offer.airport).code;
    const airports = idsOf(catalogue.airports, [...neighbours(airportCode)]);
    const nation = nationOfAirport(airportCode);
    const isLike = ([, , airport, hotel, board, , , halfStars]: Candidate) =>
      hotel !== offer.hotel &&
      Math.abs(halfStars - offer.halfStars) <= 1 &&
      boards.has(board) &&
      airports.has(airport);
    const foundBy = async (search: Search): Promise<Comparables> => {
      const { rows, days: read } = await candidates(offer, search, now);
      const days = likeDays(read, offer.departureDay, nation);
      const prices: Pence[] = [];
      const hotels = new Set<number>();
      let converted = 0;
      for await (const candidate of rows) {
        const [day, party, , hotel, , room, price] = candidate;
        if (!days.has(day) || !isLike(candidate)) continue;
        const isOther = party !== offer.party || room !== offer.room;
        const factor = isOther && convert ? convert(offer, { hotel, party, room }) : 1;
        if (factor === null) continue;
        prices.push(Math.round(price * factor));
        hotels.add(hotel);
        if (isOther && convert) converted += 1;
      }
      return {
        prices,
        converted,
        hotels: hotels.size,
        within: search.within,
        // If the departure was yesterday, there may be no similar day left.
        firstDay: [...days].at(0) ?? offer.departureDay,
        lastDay: [...days].at(-1) ?? offer.departureDay,
      };
    };
    let found = await foundBy(SEARCHES[0]);
    for (const search of SEARCHES.slice(1)) {
      if (isEnough(found) || (search.parties === 'any' && convert === null)) break;
      found = await foundBy(search);
    }
    return found;
  };
}

/** Whether there are enough packages, in enough hotels, to be worth showing. */
export function isEnough({ prices, hotels }: Comparables): boolean {
  return prices.length >= MIN_PRICES && hotels >= MIN_HOTELS;
}

interface Candidates {
  rows: Iterable<Candidate> | AsyncIterable<Candidate>;
  days: readonly number[];
}

/** Reads a place's packages around an offer's departure. Caches them, for a batch of offers. */
function candidateReader(
  database: SqlSession,
  catalogue: Catalogue,
  staleAfterDays: number,
  max: number,
): (offer: Offer, search: Search, now: number) => Promise<Candidates> {
  const columns = `departure_day, party, airport, hotel, board, room, ${TOTAL_SQL}, half_stars`;
  // Uses lists of days and parties, because with a range only the first column of the key would help.
  const keys = `${database.anyOf('departure_day')} and nights = ? and ${database.anyOf('party')} and expires_at > ? and seen_at >= ?`;
  const select = `select ${columns} from offer where ${keys} and country = ? and region = ?`;
  const readers = {
    resort: database.prepare(`${select} and resort = ? limit ?`),
    region: database.prepare(`${select} limit ?`),
  };
  const cache = new Map<string, Candidates>();
  return async (offer, { within, parties }, now) => {
    const { departureDay: day, nights, party, country, region, resort } = offer;
    const place = within === 'resort' ? [country, region, resort] : [country, region];
    const cacheKey = [parties === 'same' ? party : parties, day, nights, ...place].join();
    const cached = cache.get(cacheKey);
    if (cached !== undefined) return cached;
    const others = [
      nights,
      parties === 'same' ? [party] : [...catalogue.parties.keys()],
      now,
      now - staleAfterDays * 1440,
      ...place,
    ];
    for (const window of WINDOWS_DAYS) {
      const days = daysAround(day, window, londonDay(now));
      database.cluster?.requireDays(days);
      const rows = (await readers[within].rows(days, ...others, max + 1)) as unknown as Candidate[];
      if (rows.length > max) continue;
      cache.set(cacheKey, { rows, days });
      return { rows, days };
    }
    // Even the departure's own day has too many packages for a list, so this iterates over them.
    const ownDay = daysAround(day, 0, londonDay(now));
    const rows = readers[within].iterate(ownDay, ...others, ALL) as unknown as AsyncIterable<Candidate>;
    return { rows, days: ownDay };
  };
}

/** The days within a distance of `day`, but not before `today`. */
function daysAround(day: number, window: number, today: number): number[] {
  const first = Math.max(day - window, today);
  return Array.from({ length: Math.max(0, day + window - first + 1) }, (_, index) => first + index);
}

/** The days in the same holiday as the departure, or outside holidays if the departure is. */
function likeDays(days: readonly number[], departureDay: number, nation: UkNation): ReadonlySet<number> {
  const holiday = holidayName(departureDay, nation);
  return new Set(days.filter((day) => holidayName(day, nation) === holiday));
}

function idsOf(
  records: ReadonlyMap<number, { id: number; code: string }>,
  codes: readonly string[],
): ReadonlySet<number> {
  return new Set([...records.values()].filter(({ code }) => codes.includes(code)).map(({ id }) => id));
}

/** Board codes that are similar enough to compare. Any other code is its own class. */
const BOARD_CLASSES: readonly (readonly string[])[] = [
  ['RO', 'SC', 'NA'],
  ['BB', 'CB'],
  ['HB', 'DH'],
  ['FB', 'FP'],
  ['AI', 'AP', 'DI', 'CL'],
];

/** The board codes of the same class, including the code itself. */
function boardsOfSameClass(code: string): readonly string[] {
  return BOARD_CLASSES.find((codes) => codes.includes(code)) ?? [code];
}

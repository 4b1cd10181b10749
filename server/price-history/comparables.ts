import type { Pence } from '../../domain/money.ts';
import { firstDayOfMonth, monthOfDay } from '../../domain/month.ts';
import { MIN_PRICES } from '../../domain/price-verdict.ts';
import type { AirportNeighbours } from '../inventory/airport-neighbours.ts';
import { type Catalogue, recordOf } from '../inventory/catalogue.ts';
import type { OfferRow } from '../inventory/inventory.ts';
import { OFFER } from '../inventory/offer-columns.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';

/** Board codes that are compared with each other. Any other code is a class of its own. */
const BOARD_CLASSES = [
  ['RO', 'SC', 'NA'],
  ['BB', 'CB'],
  ['HB', 'DH'],
  ['FB', 'FP'],
  ['AI', 'AP', 'DI', 'CL'],
];

/** The current prices of comparable packages. */
export interface Comparables {
  prices: Pence[];
  /** The package's own resort, or its region if the resort has too few. */
  within: 'resort' | 'region';
}

/** Finds the packages that are comparable with an offer; `now` is in minutes since the epoch. */
export type FindComparables = (offer: OfferRow, now: number) => Comparables;

type Candidate = [
  day: number,
  airport: number,
  hotel: number,
  board: number,
  room: number,
  provider: number,
  price: Pence,
  halfStars: number,
];

/**
 * Comparable packages have the same month of departure, nights, party and class of board, stars within half a star, and
 * a departure airport of the same region. They are in the same resort, or in the same region if the resort has fewer
 * than a verdict needs. Adjacent classes of board are excluded: they would bias the cheapest and the dearest class.
 * Rows are cached across packages, so create one finder per batch.
 */
export function comparablesFinder(
  database: SqlDatabase,
  catalogue: Catalogue,
  neighbours: AirportNeighbours,
): FindComparables {
  const columns = 'departure_day, airport, hotel, board, room, provider, price, half_stars';
  // A list of days: a range would use only the first column of the key.
  const days = `${database.anyOf('departure_day')} and nights = ? and party = ? and expires_at > ?`;
  const inResort = database.prepare(
    `select ${columns} from offer where ${days} and country = ? and region = ? and resort = ?`,
  );
  const inRegion = database.prepare(
    `select ${columns} from offer where ${days} and country = ? and region = ?`,
  );
  const cache = new Map<string, Candidate[]>();

  function candidates(offer: OfferRow, within: Comparables['within'], now: number): Candidate[] {
    const [day, nights, party, country, region, resort] = offer;
    const month = monthOfDay(day);
    const cacheKey = [within, month, nights, party, country, region, within === 'resort' && resort].join();
    const cached = cache.get(cacheKey);
    if (cached !== undefined) return cached;
    const first = Math.max(firstDayOfMonth(month), Math.floor(now / 1440));
    const length = Math.max(0, firstDayOfMonth(month + 1) - first);
    const dayList = Array.from({ length }, (_, index) => first + index);
    const rows =
      within === 'resort'
        ? inResort.rows(dayList, nights, party, now, country, region, resort)
        : inRegion.rows(dayList, nights, party, now, country, region);
    cache.set(cacheKey, rows as unknown as Candidate[]);
    return rows as unknown as Candidate[];
  }

  return (offer, now) => {
    const boards = idsOf(
      catalogue.boards,
      boardsOfSameClass(recordOf(catalogue.boards, offer[OFFER.board]).code),
    );
    const airports = idsOf(catalogue.airports, [
      ...neighbours(recordOf(catalogue.airports, offer[OFFER.airport]).code),
    ]);
    const halfStars = offer[OFFER.halfStars];
    const pricesWithin = (within: Comparables['within']) =>
      candidates(offer, within, now)
        .filter(
          (one) =>
            Math.abs(one[7] - halfStars) <= 1 &&
            boards.has(one[3]) &&
            airports.has(one[1]) &&
            !isSamePackage(one, offer),
        )
        .map((one) => one[6]);
    const prices = pricesWithin('resort');
    if (prices.length >= MIN_PRICES) return { prices, within: 'resort' };
    return { prices: pricesWithin('region'), within: 'region' };
  };
}

function isSamePackage([day, airport, hotel, board, room, provider]: Candidate, offer: OfferRow): boolean {
  return (
    day === offer[OFFER.departureDay] &&
    airport === offer[OFFER.airport] &&
    hotel === offer[OFFER.hotel] &&
    board === offer[OFFER.board] &&
    room === offer[OFFER.room] &&
    provider === offer[OFFER.provider]
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

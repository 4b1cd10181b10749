import type { Pence } from '../../domain/money.ts';
import { firstDayOfMonth, monthOfDay } from '../../domain/month.ts';
import { MIN_PRICES } from '../../domain/price-verdict.ts';
import type { AirportNeighbours } from '../inventory/airport-neighbours.ts';
import { type Catalogue, recordOf } from '../inventory/catalogue.ts';
import type { OfferRow } from '../inventory/inventory.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import { boardsLike } from './board-class.ts';

/** Packages that a buyer might take instead, and what they cost now. */
export interface Comparables {
  prices: Pence[];
  /** Where they are: the package's own resort, or its region where the resort has too few. */
  within: 'resort' | 'region';
}

/** Finds the packages that compare with an offer; `now` in minutes since the epoch. */
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
 * Comparable is: the same month of departure, nights and party, the same class of board, at most half a star
 * more or less, and a departure airport of the same region; in the same resort, or, where that gives fewer than
 * a verdict needs, in the same region. Boards one class away would bias the dearest and the cheapest class.
 * What it has read it keeps for the packages asked for next, so make a new one for each batch.
 */
export function comparablesFinder(
  database: SqlDatabase,
  catalogue: Catalogue,
  neighbours: AirportNeighbours,
): FindComparables {
  const columns = 'departure_day, airport, hotel, board, room, provider, price, half_stars';
  // A list of days, since a range of them would use the first column of the key alone.
  const days = `${database.anyOf('departure_day')} and nights = ? and party = ? and expires_at > ?`;
  const inResort = database.prepare(
    `select ${columns} from offer where ${days} and country = ? and region = ? and resort = ?`,
  );
  const inRegion = database.prepare(
    `select ${columns} from offer where ${days} and country = ? and region = ?`,
  );
  const kept = new Map<string, Candidate[]>();

  function candidates(offer: OfferRow, within: Comparables['within'], now: number): Candidate[] {
    const [day, nights, party, country, region, resort] = offer;
    const month = monthOfDay(day);
    const name = [within, month, nights, party, country, region, within === 'resort' && resort].join();
    const known = kept.get(name);
    if (known !== undefined) return known;
    const first = Math.max(firstDayOfMonth(month), Math.floor(now / 1440));
    const length = Math.max(0, firstDayOfMonth(month + 1) - first);
    const list = Array.from({ length }, (_, index) => first + index);
    const rows =
      within === 'resort'
        ? inResort.rows(list, nights, party, now, country, region, resort)
        : inRegion.rows(list, nights, party, now, country, region);
    kept.set(name, rows as unknown as Candidate[]);
    return rows as unknown as Candidate[];
  }

  return (offer, now) => {
    const boards = idsOf(catalogue.boards, boardsLike(recordOf(catalogue.boards, offer[8]).code));
    const airports = idsOf(catalogue.airports, [...neighbours(recordOf(catalogue.airports, offer[6]).code)]);
    const halfStars = offer[13];
    const pricesWithin = (within: Comparables['within']) =>
      candidates(offer, within, now)
        .filter(
          (one) =>
            Math.abs(one[7] - halfStars) <= 1 &&
            boards.has(one[3]) &&
            airports.has(one[1]) &&
            !isSame(one, offer),
        )
        .map((one) => one[6]);
    const prices = pricesWithin('resort');
    if (prices.length >= MIN_PRICES) return { prices, within: 'resort' };
    return { prices: pricesWithin('region'), within: 'region' };
  };
}

function isSame([day, airport, hotel, board, room, provider]: Candidate, offer: OfferRow): boolean {
  return (
    day === offer[0] &&
    airport === offer[6] &&
    hotel === offer[7] &&
    board === offer[8] &&
    room === offer[9] &&
    provider === offer[10]
  );
}

function idsOf(
  records: ReadonlyMap<number, { id: number; code: string }>,
  codes: readonly string[],
): ReadonlySet<number> {
  return new Set([...records.values()].filter(({ code }) => codes.includes(code)).map(({ id }) => id));
}

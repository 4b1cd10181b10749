import type { Pence } from '../../../domain/money.ts';
import type { PackageSort } from '../../../domain/sort-by.ts';
import type { OfferRow } from '../../inventory/inventory.ts';
import { TOTAL_SQL, totalPrice } from '../../inventory/offer-charges.ts';
import { OFFER } from '../../inventory/offer-columns.ts';

/**
 * Sorts by one integer, smallest first: the sort's value times 2^25 plus the price in pence, so that the
 * cheaper of equals is first. Exact in JavaScript and SQL: prices stay below 2^25, sort values below 2^28.
 */
const PRICE_SPAN = 2 ** 25;

const LAST_MINUTE = 2 ** 28 - 1;

const LAST_HALF_STAR = 255;

/** Guest ratings go from 0 to 10 and count in hundredths. Hotels without one come last. */
const LAST_RATING = 1_000;

/** The sort orders of Section 9, and those that only this server has. */
export type QuerySort = PackageSort | 'GUEST_RATING_DESC';

/** A wide integer in SQL: PostgreSQL's default integers would overflow. */
const SPAN = `cast(${PRICE_SPAN} as bigint)`;

/** What the visitor pays in total. */
const PRICE = `(${TOTAL_SQL})`;

/** The SQL expression of an offer's rank. A query has one party, so it can rank by total price. */
export const RANK_SQL: Readonly<Record<QuerySort, string>> = {
  PRICE_ASC: PRICE,
  PRICE_DESC: `${PRICE_SPAN - 1} - ${PRICE}`,
  DEPARTURE_DATE_ASC: `(departure_day * 1440 + departure_minute) * ${SPAN} + ${PRICE}`,
  DEPARTURE_DATE_DESC: `(${LAST_MINUTE} - departure_day * 1440 - departure_minute) * ${SPAN} + ${PRICE}`,
  STAR_RATING_DESC: `(${LAST_HALF_STAR} - half_stars) * ${SPAN} + ${PRICE}`,
  STAR_RATING_ASC: `half_stars * ${SPAN} + ${PRICE}`,
  GUEST_RATING_DESC: `(${LAST_RATING} - coalesce((select cast(round(consumer_rating * 100) as integer)
    from hotel where hotel.id = offer.hotel), -1)) * ${SPAN} + ${PRICE}`,
};

/** The rank that RANK_SQL computes, for an offer already read. */
export function rankOf(sort: PackageSort, offer: OfferRow): number {
  const price = totalPrice(offer);
  const minute = offer[OFFER.departureDay] * 1440 + offer[OFFER.departureMinute];
  if (sort === 'DEPARTURE_DATE_ASC') return minute * PRICE_SPAN + price;
  if (sort === 'DEPARTURE_DATE_DESC') return (LAST_MINUTE - minute) * PRICE_SPAN + price;
  return rankOfPrice(sort, offer[OFFER.halfStars], price);
}

/** As rankOf, for sorts that ignore the departure. */
export function rankOfPrice(
  sort: Exclude<PackageSort, 'DEPARTURE_DATE_ASC' | 'DEPARTURE_DATE_DESC'>,
  halfStars: number,
  price: Pence,
): number {
  if (sort === 'PRICE_ASC') return price;
  if (sort === 'PRICE_DESC') return PRICE_SPAN - 1 - price;
  return (sort === 'STAR_RATING_DESC' ? LAST_HALF_STAR - halfStars : halfStars) * PRICE_SPAN + price;
}

/** The departure day in a rank by date; null for other sorts, whose ranks recur on many days. */
export function dayOfRank(sort: QuerySort, rank: number): number | null {
  const value = Math.floor(rank / PRICE_SPAN);
  if (sort === 'DEPARTURE_DATE_ASC') return Math.floor(value / 1440);
  if (sort === 'DEPARTURE_DATE_DESC') return Math.floor((LAST_MINUTE - value) / 1440);
  return null;
}

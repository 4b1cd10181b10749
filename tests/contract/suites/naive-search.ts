import type { PackageSort } from '../../../domain/sort-by.ts';
import type { OfferRow } from '../../../server/inventory/inventory.ts';
import { OFFER } from '../../../server/inventory/offer-columns.ts';
import type { PackageQuery } from '../../../server/package-search/package-repository.ts';
import { byKey } from '../../fixtures/small-inventory.ts';

/** The complete result of a query, by a simple scan. */
export function naiveSearch(offers: readonly OfferRow[], query: PackageQuery): OfferRow[] {
  const ordered = offers.filter((offer) => isMatch(offer, query)).toSorted(inOrder(query.sort));
  if (query.collapse === 'none') return ordered;
  return ordered.filter(
    (offer, index) => ordered.findIndex((other) => hotelOf(other) === hotelOf(offer)) === index,
  );
}

function isMatch(offer: OfferRow, query: PackageQuery): boolean {
  const [day, nights, party, country, region, resort, airport, , board, , provider] = offer;
  const [halfStars, expiresAt] = [offer[OFFER.halfStars], offer[OFFER.expiresAt]];
  const isAmong = (ids: readonly number[] | null, id: number) => ids === null || ids.includes(id);
  return (
    day >= query.firstDay &&
    day <= query.lastDay &&
    day + nights <= query.lastReturnDay &&
    (query.nights === null || nights === query.nights) &&
    party === query.party &&
    isAmong(query.countries, country) &&
    isAmong(query.regions, region) &&
    isAmong(query.resorts, resort) &&
    query.airports.includes(airport) &&
    isAmong(query.boards, board) &&
    isAmong(query.providers, provider) &&
    isAmong(query.halfStars, halfStars) &&
    expiresAt > query.now
  );
}

/** Compares by the sort order, then price, hotel and key. */
function inOrder(sort: PackageSort): (one: OfferRow, other: OfferRow) => number {
  const by = SORTS[sort];
  return (one, other) =>
    by(one) - by(other) ||
    (sort === 'PRICE_DESC' ? 0 : one[OFFER.price] - other[OFFER.price]) ||
    hotelOf(one) - hotelOf(other) ||
    byKey(one, other);
}

const SORTS: Record<PackageSort, (offer: OfferRow) => number> = {
  PRICE_ASC: (offer) => offer[OFFER.price],
  PRICE_DESC: (offer) => -offer[OFFER.price],
  DEPARTURE_DATE_ASC: (offer) => offer[OFFER.departureDay] * 1440 + offer[OFFER.departureMinute],
  DEPARTURE_DATE_DESC: (offer) => -(offer[OFFER.departureDay] * 1440 + offer[OFFER.departureMinute]),
  STAR_RATING_DESC: (offer) => -offer[OFFER.halfStars],
  STAR_RATING_ASC: (offer) => offer[OFFER.halfStars],
};

function hotelOf(offer: OfferRow): number {
  return offer[OFFER.hotel];
}

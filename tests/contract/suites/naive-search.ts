import type { PackageSort } from '../../../domain/sort-by.ts';
import type { OfferRow } from '../../../server/inventory/inventory.ts';
import type { PackageQuestion } from '../../../server/package-search/package-repository.ts';
import { byKey } from '../../fixtures/small-inventory.ts';

/** The whole answer to a question, found the slow and obvious way: what every repository must page through. */
export function naiveSearch(offers: readonly OfferRow[], question: PackageQuestion): OfferRow[] {
  const ordered = offers.filter((offer) => isAskedFor(offer, question)).toSorted(inOrder(question.sort));
  if (question.collapse === 'none') return ordered;
  return ordered.filter(
    (offer, index) => ordered.findIndex((other) => hotelOf(other) === hotelOf(offer)) === index,
  );
}

function isAskedFor(offer: OfferRow, question: PackageQuestion): boolean {
  const [day, nights, party, country, region, resort, airport, , board, , provider] = offer;
  const [halfStars, expiresAt] = [offer[13], offer[18]];
  const isAmong = (ids: readonly number[] | null, id: number) => ids === null || ids.includes(id);
  return (
    day >= question.firstDay &&
    day <= question.lastDay &&
    day + nights <= question.lastReturnDay &&
    (question.nights === null || nights === question.nights) &&
    party === question.party &&
    isAmong(question.countries, country) &&
    isAmong(question.regions, region) &&
    isAmong(question.resorts, resort) &&
    question.airports.includes(airport) &&
    isAmong(question.boards, board) &&
    isAmong(question.providers, provider) &&
    isAmong(question.halfStars, halfStars) &&
    expiresAt > question.now
  );
}

/** By the sort, then the price, then the hotel, then the key. */
function inOrder(sort: PackageSort): (one: OfferRow, other: OfferRow) => number {
  const by = SORTS[sort];
  return (one, other) =>
    by(one) - by(other) ||
    (sort === 'PRICE_DESC' ? 0 : one[11] - other[11]) ||
    hotelOf(one) - hotelOf(other) ||
    byKey(one, other);
}

const SORTS: Record<PackageSort, (offer: OfferRow) => number> = {
  PRICE_ASC: (offer) => offer[11],
  PRICE_DESC: (offer) => -offer[11],
  DEPARTURE_DATE_ASC: (offer) => offer[0] * 1440 + offer[14],
  DEPARTURE_DATE_DESC: (offer) => -(offer[0] * 1440 + offer[14]),
  STAR_RATING_DESC: (offer) => -offer[13],
  STAR_RATING_ASC: (offer) => offer[13],
};

function hotelOf(offer: OfferRow): number {
  return offer[7];
}

import type { PackageSort } from '../../../domain/sort-by.ts';
import type { OfferRow, ReferenceData } from '../../../server/inventory/inventory.ts';
import { OFFER } from '../../../server/inventory/offer-columns.ts';
import type { PackageQuery } from '../../../server/package-search/package-repository.ts';

/** The complete result of a query, by a simple scan. */
export function naiveSearch(
  offers: readonly OfferRow[],
  query: PackageQuery,
  reference: ReferenceData,
): OfferRow[] {
  const ordered = offers.filter((offer) => isMatch(offer, query)).toSorted(inOrder(query.sort, reference));
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

/** Compares by the sort order, then price, hotel, day, nights, place, airport, board, room and provider. */
function inOrder(sort: PackageSort, reference: ReferenceData): (one: OfferRow, other: OfferRow) => number {
  const by = SORTS[sort];
  const byCode = (dictionary: 'hotels' | 'airports' | 'boards' | 'rooms' | 'providers', column: number) => {
    const records: readonly { id: number; code: string }[] = reference[dictionary];
    const codes = new Map(records.map(({ id, code }) => [id, code]));
    const codeOf = (offer: OfferRow) => codes.get(Number(offer[column])) ?? '';
    return (one: OfferRow, other: OfferRow) =>
      codeOf(one) < codeOf(other) ? -1 : Number(codeOf(one) > codeOf(other));
  };
  const byNumber = (column: number) => (one: OfferRow, other: OfferRow) =>
    Number(one[column]) - Number(other[column]);
  const compare = [
    (one: OfferRow, other: OfferRow) => by(one) - by(other),
    sort === 'PRICE_DESC' ? () => 0 : byNumber(OFFER.price),
    byCode('hotels', OFFER.hotel),
    ...[OFFER.departureDay, OFFER.nights, OFFER.country, OFFER.region, OFFER.resort].map(byNumber),
    byCode('airports', OFFER.airport),
    byCode('boards', OFFER.board),
    byCode('rooms', OFFER.room),
    byCode('providers', OFFER.provider),
  ];
  return (one, other) => compare.reduce((difference, next) => difference || next(one, other), 0);
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

import type { OfferRow, ReferenceData } from '../../../server/inventory/inventory.ts';
import { OFFER } from '../../../server/inventory/offer-columns.ts';
import type {
  FoundFacets,
  Narrowing,
  PackageQuery,
} from '../../../server/package-search/package-repository.ts';
import type { QuerySort } from '../../../server/package-search/rank.ts';

/** The complete result of a query, by a simple scan. */
export function naiveSearch(
  offers: readonly OfferRow[],
  query: PackageQuery,
  reference: ReferenceData,
): OfferRow[] {
  const ordered = offers
    .filter(
      (offer) => isMatch(offer, query) && (!query.narrowing || passes(offer, query.narrowing, reference)),
    )
    .toSorted(inOrder(query.sort, reference));
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

function passes(offer: OfferRow, chosen: Narrowing, { hotels, flights, rooms }: ReferenceData): boolean {
  const hotel = hotels.find(({ id }) => id === offer[OFFER.hotel]);
  const outbound = flights.find(({ id }) => id === offer[OFFER.outboundFlight]);
  const inbound = flights.find(({ id }) => id === offer[OFFER.inboundFlight]);
  const room = rooms.find(({ id }) => id === offer[OFFER.room]);
  const isAmong = <T>(all: readonly T[] | null, one: T) => all === null || all.includes(one);
  const isIn = (window: readonly [number, number] | null, flight: typeof outbound) => {
    if (window === null) return true;
    const minute = flight?.departureMinute ?? null;
    if (minute === null) return false;
    const [from, to] = window;
    const ofDay = minute % 1_440;
    return from > to ? !(ofDay > to && ofDay < from) : ofDay >= from && ofDay <= to;
  };
  const price = offer[OFFER.price];
  return (
    price >= (chosen.prices?.[0] ?? 0) &&
    price <= (chosen.prices?.[1] ?? Number.POSITIVE_INFINITY) &&
    isAmong(chosen.boards, offer[OFFER.board]) &&
    isAmong(chosen.airports, offer[OFFER.airport]) &&
    isAmong(chosen.providers, offer[OFFER.provider]) &&
    isAmong(chosen.airlines, outbound?.airline ?? '') &&
    (chosen.minHalfStars === null || offer[OFFER.halfStars] >= chosen.minHalfStars) &&
    (chosen.minGuestRating === null || (hotel?.consumerRating ?? -1) >= chosen.minGuestRating) &&
    isIn(chosen.outbound, outbound) &&
    isIn(chosen.inbound, inbound) &&
    (!chosen.hasBags || offer[OFFER.luggage] > 0) &&
    (!chosen.hasFreeChild || room?.code.endsWith('.FREE-CHILD') === true) &&
    (hotel?.name ?? '').toLowerCase().includes(chosen.hotelName)
  );
}

/** The facets of a query by one search for each option. The price ranges are those of `found`, whose edges are free. */
export function naiveFacets(
  offers: readonly OfferRow[],
  query: PackageQuery & { narrowing: Narrowing },
  reference: ReferenceData,
  found: FoundFacets,
): FoundFacets {
  const countWith = (change: Partial<Narrowing>) =>
    naiveSearch(offers, { ...query, narrowing: { ...query.narrowing, ...change } }, reference).length;
  const counted = <T extends number | string>(
    options: readonly T[],
    changeFor: (option: T) => Partial<Narrowing>,
  ) =>
    [...new Set(options)]
      .map((option) => [option, countWith(changeFor(option))] as const)
      .filter(([, count]) => count > 0);
  const ids = (records: readonly { id: number }[]) => records.map(({ id }) => id);
  const { minHalfStars, minGuestRating } = query.narrowing;
  const any = { ...query, collapse: 'none', narrowing: { ...query.narrowing, prices: null } } as const;
  const prices = naiveSearch(offers, any, reference).map((offer) => offer[OFFER.price]);
  return {
    options: {
      boards: counted(ids(reference.boards), (id) => ({ boards: [id] })),
      airports: counted(ids(reference.airports), (id) => ({ airports: [id] })),
      providers: counted(ids(reference.providers), (id) => ({ providers: [id] })),
      airlines: counted(
        reference.flights.map(({ airline }) => airline),
        (airline) => ({ airlines: [airline] }),
      ),
      stars: counted([2, 3, 4, 5, 6, 7, 8, 9, 10, minHalfStars ?? 2], (level) => ({ minHalfStars: level })),
      guestRatings: counted([5, 6, 7, 8, 9, minGuestRating ?? 5], (level) => ({ minGuestRating: level })),
      outboundTimes: counted([0, 360, 720, 1_080], (from) => ({ outbound: [from, from + 359] })),
      inboundTimes: counted([0, 360, 720, 1_080], (from) => ({ inbound: [from, from + 359] })),
      bags: counted([1], () => ({ hasBags: true })),
      freeChild: counted([1], () => ({ hasFreeChild: true })),
    },
    prices:
      prices.length === 0
        ? null
        : {
            min: Math.min(...prices),
            max: Math.max(...prices),
            buckets: (found.prices?.buckets ?? []).map(({ from, to }) => ({
              from,
              to,
              count: countWith({ prices: [from, to - 1] }),
            })),
          },
  };
}

/** Compares by the sort order, then price, hotel, day, nights, place, airport, board, room and provider. */
function inOrder(sort: QuerySort, reference: ReferenceData): (one: OfferRow, other: OfferRow) => number {
  const ratings = new Map(reference.hotels.map(({ id, consumerRating }) => [id, consumerRating]));
  const by =
    sort === 'GUEST_RATING_DESC' ? (offer: OfferRow) => -(ratings.get(hotelOf(offer)) ?? -1) : SORTS[sort];
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

const SORTS: Record<Exclude<QuerySort, 'GUEST_RATING_DESC'>, (offer: OfferRow) => number> = {
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

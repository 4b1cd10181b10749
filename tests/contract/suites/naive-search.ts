import { boardBasisWords } from '../../../domain/board-basis.ts';
import type { OfferRow, ReferenceData } from '../../../server/inventory/inventory.ts';
import { OFFER } from '../../../server/inventory/offer-columns.ts';
import type { Facets } from '../../../server/package-search/query/facets.ts';
import type { PackageQuery } from '../../../server/package-search/query/package-repository.ts';
import type { QuerySort } from '../../../server/package-search/query/rank.ts';
import type { Refinements } from '../../../server/package-search/query/refinements.ts';

/** The complete result of a query, found by a simple scan. */
export function naiveSearch(
  offers: readonly OfferRow[],
  query: PackageQuery,
  reference: ReferenceData,
): OfferRow[] {
  const ordered = offers
    .filter((offer) => isMatch(offer, query) && (!query.refine || passes(offer, query.refine, reference)))
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
    isAmong(query.nights, nights) &&
    party === query.party &&
    isPlace(query, [country, region, resort]) &&
    query.airports.includes(airport) &&
    isAmong(query.boards, board) &&
    isAmong(query.providers, provider) &&
    isAmong(query.halfStars, halfStars) &&
    expiresAt > query.now
  );
}

function isPlace(query: PackageQuery, ids: readonly number[]): boolean {
  if (query.places === undefined)
    return [query.countries, query.regions, query.resorts].every(
      (wanted, level) => wanted === null || wanted.includes(ids[level] ?? 0),
    );
  const places = JSON.parse(query.places.rows) as number[][];
  return places.some((place) => place.every((id, level) => id === ids[level]));
}

function passes(offer: OfferRow, chosen: Refinements, reference: ReferenceData): boolean {
  const recordOf = <T extends { id: number }>(records: readonly T[], column: number) =>
    records.find(({ id }) => id === offer[column]);
  const hotel = recordOf(reference.hotels, OFFER.hotel);
  const outbound = recordOf(reference.flights, OFFER.outboundFlight);
  const inbound = recordOf(reference.flights, OFFER.inboundFlight);
  const resort = reference.resorts.find(({ id }) => id === hotel?.resort);
  const isAmong = (all: readonly string[], one: string | undefined) =>
    all.length === 0 || all.includes(one ?? '');
  const isIn = (from: string | null, to: string | null, flight: typeof outbound) => {
    if (from === null && to === null) return true;
    const minute = flight?.departureMinute ?? null;
    if (minute === null) return false;
    const [hours, minutes] = [Math.floor((minute % 1_440) / 60), minute % 60];
    const clock = [hours, minutes].map((part) => String(part).padStart(2, '0')).join(':');
    const [first, last] = [from ?? '00:00', to ?? '23:59'];
    return first > last ? !(clock > last && clock < first) : clock >= first && clock <= last;
  };
  const pounds = totalOf(offer) / 100;
  return (
    pounds >= (chosen.priceFrom ?? 0) &&
    pounds <= (chosen.priceTo ?? Number.POSITIVE_INFINITY) &&
    isAmong(chosen.boards, recordOf(reference.boards, OFFER.board)?.code) &&
    isAmong(chosen.airports, recordOf(reference.airports, OFFER.airport)?.code) &&
    isAmong(chosen.providers, recordOf(reference.providers, OFFER.provider)?.code) &&
    isAmong(chosen.airlines, outbound?.airline) &&
    offer[OFFER.halfStars] / 2 >= (chosen.minStars ?? 0) &&
    isAmong(chosen.resorts, resort?.name) &&
    isAmong(chosen.regions, reference.regions.find(({ id }) => id === resort?.region)?.name) &&
    (hotel?.seaDistance ?? 1_000) <= (chosen.maxSeaDistance ?? 1_000) &&
    (outbound?.durationSeconds ?? 1e6) / 3_600 <= (chosen.maxFlightHours ?? 1e6) &&
    (chosen.minGuestRating === null || (hotel?.consumerRating ?? -1) >= chosen.minGuestRating) &&
    isIn(chosen.outboundFrom, chosen.outboundTo, outbound) &&
    isIn(chosen.inboundFrom, chosen.inboundTo, inbound) &&
    (!chosen.bags || offer[OFFER.luggage] > 0) &&
    (!chosen.freeChild || recordOf(reference.rooms, OFFER.room)?.code.endsWith('.FREE-CHILD') === true) &&
    (hotel?.name ?? '').toLowerCase().includes(chosen.hotelName) &&
    (chosen.hotelCode === '' || hotel?.code === chosen.hotelCode)
  );
}

/**
 * The facets of a query, found by one search per option. Uses the price ranges of `found`, because searches
 * are free to choose their limits.
 */
export function naiveFacets(
  offers: readonly OfferRow[],
  query: PackageQuery & { refine: Refinements },
  reference: ReferenceData,
  found: Facets,
): Facets {
  const { refine } = query;
  const countWith = (change: Partial<Refinements>) =>
    naiveSearch(offers, { ...query, refine: { ...refine, ...change } }, reference).length;
  const named = (
    filter: 'regions' | 'resorts' | 'boards' | 'airports' | 'airlines' | 'providers',
    options: readonly { code: string; name: string }[],
  ) =>
    [...new Set([...options.map(({ code }) => code), ...refine[filter]])]
      .map((value) => ({
        value,
        name: options.find(({ code }) => code === value)?.name ?? value,
        count: countWith({ [filter]: [value] }),
      }))
      .filter(({ value, count }) => count > 0 || refine[filter].includes(value))
      .sort((one, other) => other.count - one.count || (one.name < other.name ? -1 : 1));
  const levels = (filter: 'minStars' | 'minGuestRating', usual: readonly number[]) =>
    [...new Set([...usual, refine[filter] ?? usual[0] ?? 0])]
      .sort((one, other) => one - other)
      .map((from) => ({ from, count: countWith({ [filter]: from }) }))
      .filter(({ from, count }) => count > 0 || from === refine[filter]);
  const limits = (filter: 'maxSeaDistance' | 'maxFlightHours', usual: readonly number[]) =>
    [...new Set([...usual, refine[filter] ?? usual[0] ?? 0])]
      .sort((one, other) => other - one)
      .map((from) => ({ from, count: countWith({ [filter]: from }) }))
      .filter(({ from, count }) => count > 0 || from === refine[filter]);
  const byName = (records: readonly { name: string }[]) => records.map(({ name }) => ({ code: name, name }));
  const times = (leg: 'outbound' | 'inbound') =>
    [
      { from: '00:00', to: '05:59' },
      { from: '06:00', to: '11:59' },
      { from: '12:00', to: '17:59' },
      { from: '18:00', to: '23:59' },
    ].map(({ from, to }) => ({ from, to, count: countWith({ [`${leg}From`]: from, [`${leg}To`]: to }) }));
  const anyPrice = {
    ...query,
    collapse: 'none',
    refine: { ...refine, priceFrom: null, priceTo: null },
  } as const;
  const passing = Map.groupBy(naiveSearch(offers, { ...query, collapse: 'none' }, reference), hotelOf);
  const ofHotelOf = (offer: OfferRow) => passing.get(hotelOf(offer)) ?? [];
  const page = naiveSearch(offers, query, reference).slice(0, query.limit);
  const pounds = naiveSearch(offers, anyPrice, reference).map((offer) => totalOf(offer) / 100);
  return {
    minPrice: pounds.length === 0 ? null : Math.min(...pounds),
    maxPrice: pounds.length === 0 ? null : Math.max(...pounds),
    prices: found.prices.map(({ from, to }) => ({
      from,
      to,
      count: countWith({ priceFrom: from, priceTo: to - 0.01 }),
    })),
    regions: named('regions', byName(reference.regions)),
    resorts: named('resorts', byName(reference.resorts)),
    boards: named(
      'boards',
      reference.boards.map(({ code }) => ({ code, name: boardBasisWords(code) })),
    ),
    airports: named('airports', reference.airports),
    airlines: named(
      'airlines',
      reference.flights.map(({ airline }) => ({ code: airline, name: airline })),
    ),
    providers: named('providers', reference.providers),
    stars: levels('minStars', [1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5]),
    guestRatings: levels('minGuestRating', [5, 6, 7, 8, 9]),
    seaDistances: limits('maxSeaDistance', [0.3, 0.5, 1, 2, 5]),
    flightHours: limits('maxFlightHours', [2, 3, 4, 5, 6, 8, 10]),
    outboundTimes: times('outbound'),
    inboundTimes: times('inbound'),
    bags: countWith({ bags: true }),
    freeChild: countWith({ freeChild: true }),
    otherPackages: page.map((offer) => ofHotelOf(offer).length - 1),
    otherProviders: page.map((offer) => {
      const others = ofHotelOf(offer).filter((each) => each[OFFER.provider] !== offer[OFFER.provider]);
      return [...Map.groupBy(others, (each) => each[OFFER.provider])]
        .map(([provider, theirs]) => ({
          Brand: reference.providers.find(({ id }) => id === provider)?.code ?? '',
          TotalPrice: Math.min(...theirs.map(totalOf)) / 100,
        }))
        .sort((one, other) => one.TotalPrice - other.TotalPrice || (one.Brand < other.Brand ? -1 : 1));
    }),
  };
}

/**
 * Compares by the sort order, then by price, hotel, day, nights, place, airport, board, room and provider.
 */
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
    sort === 'PRICE_DESC' ? () => 0 : (one: OfferRow, other: OfferRow) => totalOf(one) - totalOf(other),
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
  PRICE_ASC: totalOf,
  PRICE_DESC: (offer) => -totalOf(offer),
  DEPARTURE_DATE_ASC: (offer) => offer[OFFER.departureDay] * 1440 + offer[OFFER.departureMinute],
  DEPARTURE_DATE_DESC: (offer) => -(offer[OFFER.departureDay] * 1440 + offer[OFFER.departureMinute]),
  STAR_RATING_DESC: (offer) => -offer[OFFER.halfStars],
  STAR_RATING_ASC: (offer) => offer[OFFER.halfStars],
};

/** The provider's price plus the charges at the resort. */
function totalOf(offer: OfferRow): number {
  return offer[OFFER.price] + Math.trunc(offer[OFFER.localCharge] / 2);
}

function hotelOf(offer: OfferRow): number {
  return offer[OFFER.hotel];
}

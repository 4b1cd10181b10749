import type { PackageSort } from '../../domain/sort-by.ts';
import type { OfferRow } from '../inventory/inventory.ts';
import { OFFER } from '../inventory/offer-columns.ts';
import { BestInBlocks, type BlockBest } from './best-in-blocks.ts';
import { readOffers } from './best-per-hotel.ts';
import { scanBlocks, scanHotels } from './block-scan.ts';
import { hotelsInOrder, placeAfter, type RankedHotel } from './hotels-in-order.ts';
import type { FoundPage, PackageQuery } from './package-repository.ts';
import { dayOfRank, rankOf, rankOfRating } from './rank.ts';
import type { Departures, SearchEngine } from './search-engine.ts';
import type { TieOrder } from './tie-order.ts';

interface Ranked {
  rank: number;
  hotel: number;
  offer: OfferRow;
}

/**
 * The page of `bestPerHotel` from the price blocks, for windows of more than a few days. Reads whole rows for
 * the page's hotels only.
 */
export async function bestPerHotelInBlocks(
  engine: SearchEngine,
  query: PackageQuery,
  departures: Departures,
  ties: TieOrder,
): Promise<Omit<FoundPage, 'statements'>> {
  const collected = new BestInBlocks(sortOfBlocks(query), ties);
  const scan = sortOfBlocks(query) === 'PRICE_ASC' ? scanHotels : scanBlocks;
  await scan(engine, query, departures, collected);
  const ranked =
    dayOfRank(query.sort, 0) === null
      ? await firstByRank(engine, query, collected, ties)
      : await firstByDate(engine, query, departures, collected, ties);
  const page = ranked.slice(0, query.limit);
  const last = page.at(-1);
  return {
    offers: page.map(({ offer }) => offer),
    next: ranked.length > page.length && last !== undefined ? await placeAfter(last, ties) : null,
    count: collected.count,
    isTooWide: false,
  };
}

/** Blocks have no guest ratings. By rating, a hotel's best offer is its cheapest. */
function sortOfBlocks({ sort }: PackageQuery): PackageSort {
  return sort === 'GUEST_RATING_DESC' ? 'PRICE_ASC' : sort;
}

/** Hotels with a rank by price, with their rank under the query's sort. */
async function rankedByRating<T extends RankedHotel>(
  { rows, anyOf }: SearchEngine,
  query: PackageQuery,
  hotels: readonly T[],
): Promise<readonly T[]> {
  if (query.sort !== 'GUEST_RATING_DESC') return hotels;
  const ids = hotels.map(({ hotel }) => hotel);
  const found = await rows(`select id, consumer_rating from hotel where ${anyOf('id')}`, [ids]);
  const ratings = new Map(found as [number, number | null][]);
  return hotels.map((one) => ({ ...one, rank: rankOfRating(ratings.get(one.hotel) ?? null, one.rank) }));
}

/** The offers after the page's start, in order, up to one more than the page has. */
async function firstByRank(
  engine: SearchEngine,
  query: PackageQuery,
  collected: BestInBlocks,
  ties: TieOrder,
): Promise<Ranked[]> {
  const page = await hotelsInOrder(await rankedByRating(engine, query, collected.all()), query, ties);
  const offers = await engine.offersOfSlices(page.map(({ slice }) => slice));
  return [...(await rankedByRating(engine, query, await bestOfEach(offers, query, ties)))];
}

/** Up to this many look-ups a day's hotels are read one by one; beyond that, the whole day is. */
const MAX_LOOKUPS = 2_000;

/**
 * The same for a sort by date. Blocks give the day of each hotel's best offer; the offers, read day by day
 * until the page is full, give the times.
 */
async function firstByDate(
  engine: SearchEngine,
  query: PackageQuery,
  departures: Departures,
  collected: BestInBlocks,
  ties: TieOrder,
): Promise<Ranked[]> {
  const isLeft = afterDay(query);
  const hotels = collected.all().filter(({ rank }) => isLeft(rank));
  const byDay = hotels.sort((one, other) => one.rank - other.rank);
  const days = [...Map.groupBy(byDay, ({ rank }) => rank).values()];
  const found: Ranked[] = [];
  for (const ofDay of days) {
    if (found.length > query.limit) break;
    const slices = ofDay.map((hotel) => collected.slicesOf(hotel));
    const known = slices.filter((slice) => slice !== null).flat();
    const isShort = slices.every((slice) => slice !== null) && known.length <= MAX_LOOKUPS;
    const offers = isShort
      ? (await engine.offersOfSlices(known)).flat()
      : await offersOfDay(engine, query, departures, ofDay, ties);
    const byHotel = [...Map.groupBy(offers, (offer) => offer[OFFER.hotel]).values()];
    found.push(...(await hotelsInOrder(await bestOfEach(byHotel, query, ties), query, ties)));
  }
  return found.slice(0, query.limit + 1);
}

/** Matching offers of hotels on their shared day. */
async function offersOfDay(
  engine: SearchEngine,
  query: PackageQuery,
  { stays }: Departures,
  hotels: readonly BlockBest[],
  ties: TieOrder,
): Promise<OfferRow[]> {
  const departures = { days: [hotels[0]?.day ?? 0], stays };
  const best = await engine.bestPerHotel(query, departures);
  const wanted = new Set(hotels.map(({ hotel }) => hotel));
  const ofDay = best.filter(({ hotel }) => wanted.has(hotel));
  return readOffers(engine, query, await hotelsInOrder(ofDay, query, ties), departures, ties);
}

/** Whether hotels with this rank by day can be on the page or after it. */
function afterDay({ sort, after }: PackageQuery): (rank: number) => boolean {
  const day = after === null ? null : dayOfRank(sort, Number(after[0]));
  if (day === null) return () => true;
  return (rank) => rank >= (sort === 'DEPARTURE_DATE_ASC' ? day : -day);
}

/** The best matching offer of each hotel that has one. */
async function bestOfEach(
  hotels: readonly (readonly OfferRow[])[],
  query: PackageQuery,
  ties: TieOrder,
): Promise<Ranked[]> {
  const best = await ties.firstOfEach(
    hotels.map((offers) => bestOf(offers, query)).filter(({ length }) => length > 0),
  );
  return best.map((offer) => ({
    rank: rankOf(sortOfBlocks(query), offer),
    hotel: offer[OFFER.hotel],
    offer,
  }));
}

/** The matching offers with the best rank. */
function bestOf(offers: readonly OfferRow[], query: PackageQuery): OfferRow[] {
  let best: OfferRow[] = [];
  let bestRank = Number.POSITIVE_INFINITY;
  for (const offer of offers) {
    if (!matches(offer, query)) continue;
    const rank = rankOf(sortOfBlocks(query), offer);
    if (rank > bestRank) continue;
    if (rank < bestRank) best = [];
    bestRank = rank;
    best.push(offer);
  }
  return best;
}

/** Whether an offer of the query's place, party and airports matches. */
function matches(offer: OfferRow, query: PackageQuery): boolean {
  const isAmong = (ids: readonly number[] | null, id: number) => ids === null || ids.includes(id);
  const [day, nights] = offer;
  return (
    day >= query.firstDay &&
    day <= query.lastDay &&
    day + nights <= query.lastReturnDay &&
    isAmong(query.boards, offer[OFFER.board]) &&
    isAmong(query.providers, offer[OFFER.provider]) &&
    isAmong(query.halfStars, offer[OFFER.halfStars]) &&
    offer[OFFER.expiresAt] > query.now
  );
}

import type { OfferRow } from '../inventory/inventory.ts';
import { OFFER } from '../inventory/offer-columns.ts';
import { BestInBlocks, type BlockBest } from './best-in-blocks.ts';
import { readOffers } from './best-per-hotel.ts';
import { scanBlocks, scanHotels } from './block-scan.ts';
import type { FoundPage, PackageQuery } from './package-repository.ts';
import { dayOfRank, rankOf } from './rank.ts';
import type { Departures, SearchEngine } from './search-engine.ts';

/** An offer and its rank. */
interface Ranked {
  rank: number;
  hotel: number;
  offer: OfferRow;
}

/**
 * The page of `bestPerHotel`, found in the price blocks: for windows of more than a few days. Whole rows are read for the
 * page's hotels only.
 */
export async function bestPerHotelInBlocks(
  engine: SearchEngine,
  query: PackageQuery,
  departures: Departures,
): Promise<Omit<FoundPage, 'statements'>> {
  const collected = new BestInBlocks(query.sort);
  const scan = query.sort === 'PRICE_ASC' ? scanHotels : scanBlocks;
  await scan(engine, query, departures, collected);
  const ranked =
    dayOfRank(query.sort, 0) === null
      ? await firstByRank(engine, query, collected)
      : await firstByDate(engine, query, departures, collected);
  const page = ranked.slice(0, query.limit);
  const last = page.at(-1);
  return {
    offers: page.map(({ offer }) => offer),
    next: ranked.length > page.length && last !== undefined ? [last.rank, last.hotel] : null,
    count: collected.count,
    isTooWide: false,
  };
}

/** The offers after the page's start, in order: one more than the page has, if there is one. */
async function firstByRank(
  engine: SearchEngine,
  query: PackageQuery,
  collected: BestInBlocks,
): Promise<Ranked[]> {
  const following = collected.all().filter(isAfterPage(query));
  const page = following.sort(byRank).slice(0, query.limit + 1);
  const offers = await engine.offersOfSlices(page.map(({ slice }) => slice));
  return offers.flatMap((held) => bestOf(held, query) ?? []);
}

/** A day's hotels are read one by one where that takes at most this many look-ups; else the whole day is read. */
const MOST_LOOKUPS = 2_000;

/**
 * The same for a sort by date. Blocks say on which day each hotel's best offer departs. The times are read from the
 * offers, day by day until the page is full.
 */
async function firstByDate(
  engine: SearchEngine,
  query: PackageQuery,
  departures: Departures,
  collected: BestInBlocks,
): Promise<Ranked[]> {
  const isLeft = afterDay(query);
  const hotels = collected.all().filter(({ rank }) => isLeft(rank));
  const days = [...Map.groupBy(hotels.sort(byRank), ({ rank }) => rank).values()];
  const found: Ranked[] = [];
  for (const ofDay of days) {
    if (found.length > query.limit) break;
    const slices = ofDay.map((hotel) => collected.slicesOf(hotel));
    const known = slices.filter((slice) => slice !== null).flat();
    const isShort = slices.every((slice) => slice !== null) && known.length <= MOST_LOOKUPS;
    const offers = isShort
      ? (await engine.offersOfSlices(known)).flat()
      : await offersOfDay(engine, query, departures, ofDay);
    const best = [...Map.groupBy(offers, (offer) => offer[OFFER.hotel]).values()]
      .flatMap((held) => bestOf(held, query) ?? [])
      .filter(isAfterPage(query));
    found.push(...best.sort(byRank));
  }
  return found.slice(0, query.limit + 1);
}

/** The matching offers of hotels on the day that they share. */
async function offersOfDay(
  engine: SearchEngine,
  query: PackageQuery,
  { stays }: Departures,
  hotels: readonly BlockBest[],
): Promise<OfferRow[]> {
  const day = hotels[0]?.day ?? 0;
  const best = await engine.bestPerHotel(query, { days: [day], stays });
  const isFollowing = isAfterPage(query);
  const wanted = new Set(hotels.map(({ hotel }) => hotel));
  const first = best
    .filter(({ rank, hotel }) => wanted.has(hotel) && isFollowing({ rank, hotel }))
    .sort(byRank)
    .slice(0, query.limit + 1);
  return readOffers(engine, query, first, { days: [day], stays });
}

/** Whether hotels with this rank by day can be on the page or behind it. */
function afterDay({ sort, after }: PackageQuery): (rank: number) => boolean {
  const day = after === null ? null : dayOfRank(sort, after[0] ?? 0);
  if (day === null) return () => true;
  return (rank) => rank >= (sort === 'DEPARTURE_DATE_ASC' ? day : -day);
}

function isAfterPage({ after }: PackageQuery): (one: Pick<Ranked, 'rank' | 'hotel'>) => boolean {
  if (after === null) return () => true;
  const [lastRank = 0, lastHotel = 0] = after;
  return ({ rank, hotel }) => rank > lastRank || (rank === lastRank && hotel > lastHotel);
}

function byRank(one: { rank: number; hotel: number }, other: { rank: number; hotel: number }): number {
  return one.rank - other.rank || one.hotel - other.hotel;
}

/** The best of a hotel's offers that match; the first by key of several. The offers are in the order of the key. */
function bestOf(offers: readonly OfferRow[], query: PackageQuery): Ranked | null {
  let best: Ranked | null = null;
  for (const offer of offers) {
    if (!matches(offer, query)) continue;
    const rank = rankOf(query.sort, offer);
    if (best === null || rank < best.rank) best = { rank, hotel: offer[OFFER.hotel], offer };
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

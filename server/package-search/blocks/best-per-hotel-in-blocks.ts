import type { PackageSort } from '../../../domain/sort-by.ts';
import type { OfferRow } from '../../inventory/inventory.ts';
import { OFFER } from '../../inventory/offer-columns.ts';
import { type SameHotels, withoutSame } from '../../inventory/same-hotels.ts';
import { readOffers } from '../query/best-per-hotel.ts';
import { hotelsInOrder, placeAfter } from '../query/hotels-in-order.ts';
import type { FoundPage, PackageQuery } from '../query/package-repository.ts';
import { dayOfRank, rankOf } from '../query/rank.ts';
import type { Departures, SearchEngine } from '../query/search-engine.ts';
import type { TieOrder } from '../query/tie-order.ts';
import { BestInBlocks, type BlockBest } from './best-in-blocks.ts';
import { scanBlocks, scanHotels } from './block-scan.ts';

/** Blocks have no guest ratings. */
type BlockQuery = PackageQuery & { sort: PackageSort };

/**
 * A page of hotels with their best offers, from the price blocks, for windows of more than a few days. Reads whole
 * rows for the page's hotels only.
 */
export async function bestPerHotelInBlocks(
  engine: SearchEngine,
  query: BlockQuery,
  departures: Departures,
  ties: TieOrder,
  same: SameHotels,
): Promise<Omit<FoundPage, 'statements'>> {
  const collected = new BestInBlocks(query.sort, ties);
  const scan = query.sort === 'PRICE_ASC' ? scanHotels : scanBlocks;
  await scan(engine, query, departures, collected);
  const all = collected.all();
  const best = withoutSame(all, same);
  const found =
    dayOfRank(query.sort, 0) === null
      ? await firstByRank(engine, query, best, ties)
      : await firstByDate(engine, query, departures, all, ties, same);
  const offers = found.slice(0, query.limit);
  const last = found.length > offers.length ? offers.at(-1) : undefined;
  return {
    offers,
    next: last ? await placeAfter({ rank: rankOf(query.sort, last), hotel: last[OFFER.hotel] }, ties) : null,
    count: best.length,
    isTooWide: false,
  };
}

/** The offers after the page's start, in order, up to one more than the page has. */
async function firstByRank(
  engine: SearchEngine,
  query: BlockQuery,
  best: readonly BlockBest[],
  ties: TieOrder,
): Promise<OfferRow[]> {
  const page = await hotelsInOrder(best, query, ties);
  const offers = await engine.offersOfSlices(page.map(({ slice }) => slice));
  return ties.firstOfEach(offers.map((ofHotel) => bestOf(ofHotel, query)).filter(({ length }) => length > 0));
}

/**
 * Like `firstByRank`, for a sort by date. Blocks give the day of each hotel's best offer; the offers, read day by day
 * until the page is full, give the times.
 */
async function firstByDate(
  engine: SearchEngine,
  query: BlockQuery,
  { stays }: Departures,
  all: readonly BlockBest[],
  ties: TieOrder,
  same: SameHotels,
): Promise<OfferRow[]> {
  const isLeft = afterDay(query);
  const firstDays = new Map(withoutSame(all, same).map(({ hotel, rank }) => [same.get(hotel), rank]));
  // Several records of one hotel may have its first day: only the times tell which is best.
  const isFirst = (group: readonly number[] | undefined, rank: number) =>
    group === undefined || firstDays.get(group) === rank;
  const hotels = all.filter(({ hotel, rank }) => isLeft(rank) && isFirst(same.get(hotel), rank));
  const byDay = hotels.sort((one, other) => one.rank - other.rank);
  const found: OfferRow[] = [];
  for (const ofDay of Map.groupBy(byDay, ({ rank }) => rank).values()) {
    if (found.length > query.limit) break;
    const departures = { days: [ofDay[0]?.day ?? 0], stays };
    const wanted = new Set(ofDay.map(({ hotel }) => hotel));
    const best = (await engine.bestPerHotel(query, departures)).filter(({ hotel }) => wanted.has(hotel));
    const ordered = await hotelsInOrder(withoutSame(best, same), query, ties);
    found.push(...(await readOffers(engine, query, ordered, departures, ties)));
  }
  return found.slice(0, query.limit + 1);
}

/** Returns a function that tells whether hotels with a rank by day can be on this page or a later one. */
function afterDay({ sort, after }: BlockQuery): (rank: number) => boolean {
  const day = after === null ? null : dayOfRank(sort, Number(after[0]));
  if (day === null) return () => true;
  return (rank) => rank >= (sort === 'DEPARTURE_DATE_ASC' ? day : -day);
}

/** The matching offers with the best rank. */
function bestOf(offers: readonly OfferRow[], query: BlockQuery): OfferRow[] {
  let best: OfferRow[] = [];
  let bestRank = Number.POSITIVE_INFINITY;
  for (const offer of offers) {
    if (!matches(offer, query)) continue;
    const rank = rankOf(query.sort, offer);
    if (rank > bestRank) continue;
    if (rank < bestRank) best = [];
    bestRank = rank;
    best.push(offer);
  }
  return best;
}

/** Whether an offer matches the query, given that its place, party and airport do. */
function matches(offer: OfferRow, query: BlockQuery): boolean {
  const isAmong = (ids: readonly number[] | null, id: number) => ids === null || ids.includes(id);
  const day = offer[OFFER.departureDay];
  return (
    day >= query.firstDay &&
    day <= query.lastDay &&
    day + offer[OFFER.nights] <= query.lastReturnDay &&
    isAmong(query.boards, offer[OFFER.board]) &&
    isAmong(query.providers, offer[OFFER.provider]) &&
    isAmong(query.halfStars, offer[OFFER.halfStars]) &&
    offer[OFFER.expiresAt] > query.now
  );
}

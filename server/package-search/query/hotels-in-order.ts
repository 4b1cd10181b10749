import type { PackageQuery } from './package-repository.ts';
import { compareTexts, type TieOrder } from './tie-order.ts';

export interface RankedHotel {
  hotel: number;
  rank: number;
}

/**
 * The hotels after the page's start, by rank, then by code, up to one more than the page has. Reads codes
 * only for equal ranks.
 */
export async function hotelsInOrder<T extends RankedHotel>(
  hotels: readonly T[],
  { after, limit }: Pick<PackageQuery, 'after' | 'limit'>,
  ties: TieOrder,
): Promise<T[]> {
  const lastRank = Number(after?.[0] ?? Number.NEGATIVE_INFINITY);
  const lastKey = String(after?.[1] ?? '');
  const following = hotels.filter(({ rank }) => rank >= lastRank);
  const ranks = ranksInOrder(following);
  // All hotels with the last page's rank may have been shown.
  const ofLastRank = ranks.findIndex((rank) => rank > lastRank);
  const mostRead = (ofLastRank === -1 ? ranks.length : ofLastRank) + limit;
  const highest = ranks[mostRead] ?? Number.POSITIVE_INFINITY;
  const candidates = following
    .filter(({ rank }) => rank <= highest)
    .sort((one, other) => one.rank - other.rank);
  const tied = candidates.filter(
    ({ rank }, nth) =>
      rank === lastRank || rank === candidates[nth - 1]?.rank || rank === candidates[nth + 1]?.rank,
  );
  const keys = await ties.hotelKeys(tied.map(({ hotel }) => hotel));
  return candidates
    .map((one) => ({ one, key: keys.get(one.hotel) ?? '' }))
    .filter(({ one, key }) => one.rank > lastRank || key > lastKey)
    .sort((a, b) => a.one.rank - b.one.rank || compareTexts(a.key, b.key))
    .slice(0, limit + 1)
    .map(({ one }) => one);
}

/** A place may have thousands of hotels: sorting plain numbers takes less than half the time. */
function ranksInOrder(hotels: readonly RankedHotel[]): Float64Array {
  const ranks = new Float64Array(hotels.length);
  for (const [nth, { rank }] of hotels.entries()) ranks[nth] = rank;
  return ranks.sort();
}

/** The position after a hotel, where the next page starts. */
export async function placeAfter({ rank, hotel }: RankedHotel, ties: TieOrder): Promise<[number, string]> {
  const keys = await ties.hotelKeys([hotel]);
  return [rank, keys.get(hotel) ?? ''];
}

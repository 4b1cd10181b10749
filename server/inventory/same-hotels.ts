import { type HotelFacts, isSameHotel, MAX_METRES } from '../../domain/same-hotel.ts';
import type { HotelRecord } from './inventory.ts';

/** By a hotel record's id, the ids of all records of the same hotel, ordered by code, then by provider code. */
export type SameHotels = ReadonlyMap<number, readonly number[]>;

interface PlacedHotel extends HotelFacts {
  id: number;
  /** Orders records independently of ids. */
  key: string;
  provider: number | null;
  latitude: number;
}

interface HotelNames {
  placesOf: (resort: number) => readonly string[];
  /** Empty for a hotel whose code is shared. */
  providerCode: (provider: number | null) => string;
}

const MAX_DEGREES = MAX_METRES / 111_195;

/**
 * Groups of records that are one hotel of several providers. A record that could be two hotels of one
 * provider, or whose group does not agree as a whole, stays alone.
 */
export async function findSameHotels(
  hotels: Iterable<HotelRecord> | AsyncIterable<HotelRecord>,
  { placesOf, providerCode }: HotelNames,
): Promise<number[][]> {
  const placed: PlacedHotel[] = [];
  for await (const { id, code, provider, name, resort, latitude, longitude, halfStars } of hotels) {
    if (latitude === null) continue;
    const sharedCode = provider === null ? code : null;
    const key = `${code}\n${providerCode(provider)}`;
    placed.push({
      id,
      key,
      provider,
      name,
      places: placesOf(resort),
      latitude,
      longitude,
      halfStars,
      sharedCode,
    });
  }
  placed.sort((one, other) => one.latitude - other.latitude);
  const matches = new Map(placed.map((hotel) => [hotel, new Set([hotel])]));
  for (const [nth, one] of placed.entries()) {
    for (let next = nth + 1; ; next += 1) {
      const other = placed[next];
      if (other === undefined || other.latitude - one.latitude > MAX_DEGREES) break;
      if (one.provider === other.provider || !isSameHotel(one, other)) continue;
      matches.get(one)?.add(other);
      matches.get(other)?.add(one);
    }
  }
  return [...matches].flatMap(([hotel, group]) => {
    if (group.size === 1) return [];
    const members = [...group].sort((one, other) => (one.key < other.key ? -1 : 1));
    const isWhole = members.every((each) => {
      const theirs = matches.get(each);
      return theirs?.size === group.size && members.every((member) => theirs.has(member));
    });
    const isClear = new Set(members.map(({ provider }) => provider)).size === group.size;
    return isWhole && isClear && hotel === members[0] ? [members.map(({ id }) => id)] : [];
  });
}

export function sameHotelsOf(groups: readonly (readonly number[])[]): SameHotels {
  return new Map(groups.flatMap((group) => group.map((id) => [id, group])));
}

/** Keeps only the best record of each hotel. At equal ranks, the earlier day counts, then the code. */
export function withoutSame<T extends { hotel: number; rank: number; day: number }>(
  best: readonly T[],
  same: SameHotels,
): readonly T[] {
  if (same.size === 0) return best;
  const bestOf = new Map<readonly number[], T>();
  for (const one of best) {
    const group = same.get(one.hotel);
    const known = group && bestOf.get(group);
    if (group === undefined) continue;
    const difference =
      known &&
      (one.rank - known.rank || one.day - known.day || group.indexOf(one.hotel) - group.indexOf(known.hotel));
    if (difference === undefined || difference < 0) bestOf.set(group, one);
  }
  return best.filter((one) => {
    const group = same.get(one.hotel);
    return group === undefined || bestOf.get(group) === one;
  });
}

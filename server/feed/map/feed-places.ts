import { LRUCache } from 'lru-cache';
import type { Destination } from '../../../domain/destination.ts';
import { foldText } from '../../../domain/fold-text.ts';

export interface FeedPlace {
  country: string;
  region: string;
  resort: string;
  /** Whether visitors can choose it: it is on the destination list. */
  isListed: boolean;
}

type WrittenPlace = [country: string, region: string | undefined, resort: string];

/** A feed repeats its places. */
const CACHED_PLACES = 50_000;

/**
 * Finds a package's place on the destination list, ignoring case, accents and spacing, and uses the list's
 * spelling. Fills in a missing region if the resort's name is unique in the country. Null for an unlisted
 * place without a region.
 */
export function placeFinder(
  destinations: readonly Destination[],
): (...written: WrittenPlace) => FeedPlace | null {
  const byName = new Map<string, Destination[]>();
  for (const destination of destinations) {
    const { country, region, resort } = destination;
    for (const key of [keyOf(country, region, resort), keyOf(country, '', resort)]) {
      byName.set(key, [...(byName.get(key) ?? []), destination]);
    }
  }

  function find([country, region, resort]: WrittenPlace): FeedPlace | null {
    const listed = byName.get(keyOf(country, region ?? '', resort)) ?? [];
    const [only] = listed;
    if (only !== undefined && (region !== undefined || listed.length === 1)) {
      return { country: only.country, region: only.region, resort: only.resort, isListed: true };
    }
    return region === undefined ? null : { country, region, resort, isListed: false };
  }

  const found = new LRUCache<string, { place: FeedPlace | null }, WrittenPlace>({
    max: CACHED_PLACES,
    memoMethod: (_key, _stale, { context }) => ({ place: find(context) }),
  });
  return (...written) => found.memo(written.join('\n'), { context: written }).place;
}

function keyOf(country: string, region: string, resort: string): string {
  return `${foldText(country)}\n${foldText(region)}\n${foldText(resort)}`;
}

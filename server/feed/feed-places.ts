import type { Destination } from '../../domain/destination.ts';
import { foldText } from '../../domain/fold-text.ts';
import { boundedCache } from '../lib/bounded-cache.ts';

export interface FeedPlace {
  country: string;
  region: string;
  resort: string;
  /** Whether visitors can choose it: it is on the destination list. */
  isListed: boolean;
}

/** Places that are cached. */
const CACHED_PLACES = 25_000;

/**
 * Finds the place of a package on the destination list and spells it as the list does: names are the same
 * whatever their case, accents and blanks. Where a feed has no regions, the list's is taken if one resort of
 * that name is in the country. A place that is not on the list is kept as it is written; null without a region.
 */
export function placeFinder(
  destinations: readonly Destination[],
): (country: string, region: string | undefined, resort: string) => FeedPlace | null {
  const byName = new Map<string, Destination[]>();
  for (const destination of destinations) {
    const { country, region, resort } = destination;
    for (const key of [keyOf(country, region, resort), keyOf(country, '', resort)]) {
      byName.set(key, [...(byName.get(key) ?? []), destination]);
    }
  }
  const found = boundedCache<string, FeedPlace | null>(CACHED_PLACES);

  function find(country: string, region: string | undefined, resort: string): FeedPlace | null {
    const listed = byName.get(keyOf(country, region ?? '', resort)) ?? [];
    const [only] = listed;
    if (only !== undefined && (region !== undefined || listed.length === 1)) {
      return { country: only.country, region: only.region, resort: only.resort, isListed: true };
    }
    return region === undefined ? null : { country, region, resort, isListed: false };
  }

  return (country, region, resort) => {
    const key = `${country}\n${region ?? ''}\n${resort}`;
    const known = found.get(key);
    if (known !== undefined) return known;
    const place = find(country, region, resort);
    found.set(key, place);
    return place;
  };
}

function keyOf(country: string, region: string, resort: string): string {
  return `${foldText(country)}\n${foldText(region)}\n${foldText(resort)}`;
}

import type { Destination } from '../../domain/destination.ts';
import { foldText } from '../../domain/fold-text.ts';

export interface FeedPlace {
  country: string;
  region: string;
  resort: string;
  /** Whether visitors can choose it: it is on the destination list. */
  isListed: boolean;
}

interface Found {
  country: string;
  region: string | undefined;
  place: FeedPlace | null;
}

/** The cache of places is cleared when it has this many. */
const KEPT_PLACES = 50_000;

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
  /** By resort, which tells most places apart. */
  const found = new Map<string, Found[]>();
  let kept = 0;

  function find(country: string, region: string | undefined, resort: string): FeedPlace | null {
    const listed = byName.get(keyOf(country, region ?? '', resort)) ?? [];
    const [only] = listed;
    if (only !== undefined && (region !== undefined || listed.length === 1)) {
      return { country: only.country, region: only.region, resort: only.resort, isListed: true };
    }
    return region === undefined ? null : { country, region, resort, isListed: false };
  }

  return (country, region, resort) => {
    const sameResort = found.get(resort);
    const known = sameResort?.find((one) => one.region === region && one.country === country);
    if (known !== undefined) return known.place;
    if (kept >= KEPT_PLACES) {
      found.clear();
      kept = 0;
    }
    const place = find(country, region, resort);
    const entry = { country, region, place };
    if (kept > 0 && sameResort !== undefined) sameResort.push(entry);
    else found.set(resort, [entry]);
    kept += 1;
    return place;
  };
}

function keyOf(country: string, region: string, resort: string): string {
  return `${foldText(country)}\n${foldText(region)}\n${foldText(resort)}`;
}

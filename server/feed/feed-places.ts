import type { Destination } from '../../domain/destination.ts';
import { foldText } from '../../domain/fold-text.ts';

export interface FeedPlace {
  country: string;
  region: string;
  resort: string;
  /** Whether it is on the destination list, so that visitors can choose it. */
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
 * Finds a package's place on the destination list and uses the list's spelling. Case, accents and spacing are ignored.
 * Without a region, the list's is used if the country has only one resort with that name. A place that is not on the
 * list is kept as written, or is null if it has no region.
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
  /** By resort name, which is unique for most places. */
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

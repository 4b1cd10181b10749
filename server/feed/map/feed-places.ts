import type { Destination } from '../../../domain/destination.ts';
import { foldText } from '../../../domain/fold-text.ts';
import { memoize } from '../../lib/memoize.ts';

export interface FeedPlace {
  country: string;
  region: string;
  resort: string;
  /** Whether visitors can choose it: it is on the destination list. */
  isListed: boolean;
}

/** A feed repeats its places. */
const CACHED_PLACES = 50_000;

/**
 * Finds a package's place on the destination list, ignoring case, accents and spacing, and uses the list's
 * spelling. Fills in a missing region if the resort's name is unique in the country. Null for an unlisted
 * place without a region.
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

  const find = memoize(CACHED_PLACES, (written: string): FeedPlace | null => {
    const [country = '', region = '', resort = ''] = written.split('\n');
    const listed = byName.get(keyOf(country, region, resort)) ?? [];
    const [only] = listed;
    if (only !== undefined && (region !== '' || listed.length === 1)) {
      return { country: only.country, region: only.region, resort: only.resort, isListed: true };
    }
    return region === '' ? null : { country, region, resort, isListed: false };
  });
  return (country, region = '', resort) => find(`${country}\n${region}\n${resort}`);
}

function keyOf(country: string, region: string, resort: string): string {
  return `${foldText(country)}\n${foldText(region)}\n${foldText(resort)}`;
}

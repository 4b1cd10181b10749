import type { Destination } from '../../../domain/destination.ts';
import { foldText } from '../../../domain/fold-text.ts';
import type { OtherNames } from '../../../domain/other-names.ts';
import { memoize } from '../../lib/memoize.ts';

export interface FeedPlace {
  country: string;
  region: string;
  resort: string;
  /** Whether visitors can choose it: it is on the destination list. */
  isListed: boolean;
  /** Whether visitors can at least choose its region. */
  isRegionListed: boolean;
}

/** A feed repeats its places. */
const CACHED_PLACES = 50_000;

/** Countries' names of their two-letter codes. */
const COUNTRY_NAMES = new Intl.DisplayNames('en-GB', { type: 'region' });

/**
 * Finds a package's place on the destination list, also by other names of places and codes of countries,
 * ignoring case, accents and spacing, and uses the list's spelling. Fills in a missing region if the resort's name is unique in the country. Null for an unlisted
 * place without a region.
 */
export function placeFinder(
  destinations: readonly Destination[],
  otherNames: OtherNames = {},
): (country: string, region: string | undefined, resort: string) => FeedPlace | null {
  const byName = new Map<string, Destination[]>();
  /** The list's names of countries and regions. */
  const names = new Map<string, string>();
  for (const destination of destinations) {
    const { country, region, resort } = destination;
    names.set(keyOf(country, '', ''), country).set(keyOf(country, region, ''), region);
    for (const key of [keyOf(country, region, resort), keyOf(country, '', resort)]) {
      byName.set(key, [...(byName.get(key) ?? []), destination]);
    }
  }

  const listedBy = new Map<string, string[]>();
  for (const [name, others] of Object.entries(otherNames)) {
    for (const other of others.map(foldText)) listedBy.set(other, [...(listedBy.get(other) ?? []), name]);
  }
  /** A name, and the list's names for it. */
  const namesOf = (name: string) => [name, ...(listedBy.get(foldText(name)) ?? [])];

  /** The first listed name in each of the places that a package's names may mean. */
  function firstOf<T>(
    listed: ReadonlyMap<string, T>,
    [country, region = '', resort = '']: string[],
  ): T | undefined {
    const isCode = /^[A-Z]{2}$/.test(country ?? '');
    for (const inCountry of namesOf((isCode && COUNTRY_NAMES.of(country ?? '')) || (country ?? '')))
      for (const inRegion of namesOf(region))
        for (const inResort of namesOf(resort)) {
          const found = listed.get(keyOf(inCountry, inRegion, inResort));
          if (found !== undefined) return found;
        }
    return undefined;
  }

  const find = memoize(CACHED_PLACES, (written: string): FeedPlace | null => {
    const [country = '', region = '', resort = ''] = written.split('\n');
    const listed = firstOf(byName, [country, region, resort]) ?? [];
    const [only] = listed;
    if (only !== undefined && (region !== '' || listed.length === 1)) {
      return {
        country: only.country,
        region: only.region,
        resort: only.resort,
        isListed: true,
        isRegionListed: true,
      };
    }
    if (region === '') return null;
    const listedRegion = firstOf(names, [country, region]);
    return {
      country: firstOf(names, [country]) ?? country,
      // A name such as 'Greek Islands' means several regions.
      region: namesOf(region).length > 2 ? region : (listedRegion ?? region),
      resort,
      isListed: false,
      isRegionListed: listedRegion !== undefined,
    };
  });
  return (country, region = '', resort) => find(`${country}\n${region}\n${resort}`);
}

function keyOf(country: string, region: string, resort: string): string {
  return [country, region, resort].map((name) => foldText(name).replaceAll(' ', '')).join('\n');
}

/**
 * Places that share a name. A market may have thousands of them, so they are one text: it is written once, and copied to
 * another thread, or bound to a statement, as it is.
 */
export interface SharedPlaces {
  count: number;
  /** The numbers of one place: 1 for a country, 2 for a region, 3 for a resort. */
  levels: number;
  /** As JSON: the country, region and resort of each, as far as it has them. */
  rows: string;
}

/**
 * Places that are looked up in the main thread; of more, every statement would keep it busy for milliseconds before it
 * reads the first package.
 */
const MOST_IN_MAIN_THREAD = 300;

export function isWidelyShared({ places }: { places?: SharedPlaces }): boolean {
  return places !== undefined && places.count > MOST_IN_MAIN_THREAD;
}

/** A place by its ids. A region or resort comes with its parents, the first columns of the key. */
export type PlaceIds = readonly [country: number, region?: number, resort?: number];

export function sharedPlaces(places: readonly PlaceIds[]): SharedPlaces {
  return { count: places.length, levels: places[0]?.length ?? 0, rows: JSON.stringify(places) };
}

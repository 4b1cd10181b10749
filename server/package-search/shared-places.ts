/**
 * Places that share a name. A market may have thousands of them, so they are one text: it is written once, and copied to
 * another thread, or bound to a statement, as it is.
 */
export interface SharedPlaces {
  /** The numbers of one place: 1 for a country, 2 for a region, 3 for a resort. */
  levels: number;
  /** As JSON: the country, region and resort of each, as far as it has them. */
  rows: string;
}

/** A place by its ids. A region or resort comes with its parents, the first columns of the key. */
export type PlaceIds = readonly [country: number, region?: number, resort?: number];

export function sharedPlaces(places: readonly PlaceIds[]): SharedPlaces {
  return { levels: places[0]?.length ?? 0, rows: JSON.stringify(places) };
}

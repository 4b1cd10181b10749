/** Several places or those that share a name, perhaps thousands, as one text to copy to a thread or bind to a statement. */
export interface SharedPlaces {
  /** How many ids identify a place: 1 for a country, 2 for a region, 3 for a resort. */
  levels: number;
  /** JSON: each place's country, region and resort, as far as it has them. */
  rows: string;
}

/** A place by its ids. A region or resort comes with its parents, the first columns of the key. */
export type PlaceIds = readonly [country: number, region?: number, resort?: number];

export function sharedPlaces(places: readonly PlaceIds[]): SharedPlaces {
  return { levels: places[0]?.length ?? 0, rows: JSON.stringify(places) };
}

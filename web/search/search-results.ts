import { airportSelectionKey } from '../../domain/airport.ts';
import type { PackageHoliday } from '../../domain/package-holiday.ts';
import { partyCode } from '../../domain/party.ts';
import {
  isByPriceScore,
  type PackageSort,
  type PriceScores,
  type SortBy,
  toPackageSort,
} from '../../domain/sort-by.ts';
import type { Keepable } from '../data/keepable.ts';
import type { HolidaySearch, SearchTrip } from './search-url.ts';

/** The loaded packages, and the request that fetched them. */
export interface SearchResults extends Keepable {
  /** `searchKey` of their search. */
  key: string;
  trip: string;
  sortBy: SortBy;
  /** In the server's order. */
  packages: readonly PackageHoliday[];
  hasMoreData: boolean;
  /** The number of all matches, as counted by the server; null if the server sends no count. */
  count: number | null;
  /** The token for the next hundred; null at the end. */
  nextToken: string | null;
  /** The options of further filters with their counts, if the server offers them. */
  facets: unknown;
  /** Scores of the loaded packages; null until an order needs them. */
  scores: PriceScores | null;
}

/** The number of matches on all pages. */
export function matchCount({ packages, count }: SearchResults): number {
  return count ?? packages.length;
}

/** 'more': the loaded results suffice, with further pages or price scores. */
export type Need = 'nothing' | 'new results' | 'more';

/** About the most packages that the page loads, however far a visitor pages. */
const MAX_LOADED = 2_000;

/** Equal for searches with the same packages, in any order and on any page. */
export function searchKey(search: HolidaySearch): string {
  return JSON.stringify([tripKey(search), search.boardBasis, search.starRating, search.refine]);
}

/** Whether results are for a search's place and airport, on any day. */
export function isAbout(results: SearchResults | null, trip: SearchTrip): boolean {
  const [place, airport] = JSON.parse(tripKey(trip)) as unknown[];
  return results?.trip.startsWith(JSON.stringify([place, airport]).slice(0, -1)) === true;
}

/** Equal for searches with the same form values. */
export function tripKey(trip: SearchTrip): string {
  const { destination, departureAirport, date, duration, party, flexibility } = trip;
  const airport = departureAirport && airportSelectionKey(departureAirport);
  return JSON.stringify([destination, airport, date, duration, partyCode(party), flexibility]);
}

/** The order to request from the server, which with facets also sorts by guest rating. */
export function serverSort(sortBy: SortBy, hasFacets: boolean): PackageSort | 'GUEST_RATING_DESC' {
  return sortBy === 'rating-desc' && hasFacets ? 'GUEST_RATING_DESC' : toPackageSort(sortBy);
}

/**
 * Sorting and paging use the loaded packages, unless the server's order differs and it has more, shows one of
 * a hotel's packages by that order, or the order is 'Recommended', which only the server knows.
 */
export function whatIsNeeded(loaded: SearchResults | null, search: HolidaySearch): Need {
  if (loaded === null) return 'new results';
  if (loaded.key !== searchKey(search)) return 'new results';
  if (loaded.sortBy !== search.sortBy) {
    if (loaded.hasMoreData) return 'new results';
    const hasFacets = loaded.facets !== null;
    const isSameSort = serverSort(loaded.sortBy, hasFacets) === serverSort(search.sortBy, hasFacets);
    const hidesPackages = loaded.packages.some(({ OtherPackages = 0 }) => OtherPackages > 0);
    if (!isSameSort && (hidesPackages || search.sortBy === 'default')) return 'new results';
  }
  const needsScores = isByPriceScore(search.sortBy) && loaded.scores === null;
  return needsScores || needsMorePages(loaded, search) ? 'more' : 'nothing';
}

/** Whether the requested page is past the loaded packages and more can be loaded. */
export function needsMorePages(
  loaded: Pick<SearchResults, 'packages' | 'nextToken'>,
  search: HolidaySearch,
): boolean {
  const before = (search.page - 1) * search.perPage;
  return canLoadMore(loaded) && loaded.packages.length <= before;
}

export function canLoadMore({ packages, nextToken }: Pick<SearchResults, 'packages' | 'nextToken'>): boolean {
  return nextToken !== null && packages.length < MAX_LOADED;
}

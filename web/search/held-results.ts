import { airportSelectionKey } from '../../domain/airport.ts';
import type { PackageHoliday } from '../../domain/package-holiday.ts';
import { partyCode } from '../../domain/party.ts';
import { type SortBy, toPackageSort } from '../../domain/sort-by.ts';
import type { HolidaySearch } from './search-address.ts';

/** The packages that the page holds, and the request that fetched them. */
export interface HeldResults {
  /** The search that they answer, regardless of order and page: see `searchKey`. */
  key: string;
  /** The trip of the search, regardless of filters: see `tripKey`. */
  trip: string;
  /** The sort order of the request. */
  sortBy: SortBy;
  /** In the server's order. */
  packages: readonly PackageHoliday[];
  hasMoreData: boolean;
  /** The number of all matches in the latest answer; null if it has none. */
  count: number | null;
  /** The token of the next hundred; null at the end. */
  nextToken: string | null;
}

/** What a search needs from the server beyond the held results. */
export type Need = 'nothing' | 'a new answer' | 'more pages';

/** About the most packages that the page holds, however far a visitor pages. */
const MAX_HELD = 2_000;

/** Searches with the same key have the same packages, in any order and on any page. */
export function searchKey(search: HolidaySearch): string {
  return JSON.stringify([tripKey(search), search.boardBasis, search.starRating]);
}

/** Searches with the same trip key have the same form values. */
export function tripKey({ destination, departureAirport, date, duration, party }: HolidaySearch): string {
  const airport = departureAirport && airportSelectionKey(departureAirport);
  return JSON.stringify([destination, airport, date, duration, partyCode(party)]);
}

/**
 * Sorting and paging use the held packages, with two exceptions (ruling 8). If the server has more, another order has
 * another first hundred. 'Recommended' is the server's order, so packages fetched in another order cannot show it.
 */
export function whatIsNeeded(held: HeldResults | null, search: HolidaySearch): Need {
  if (held === null || held.key !== searchKey(search)) return 'a new answer';
  if (held.sortBy !== search.sortBy) {
    if (held.hasMoreData) return 'a new answer';
    if (search.sortBy === 'default' && toPackageSort(held.sortBy) !== toPackageSort('default')) {
      return 'a new answer';
    }
  }
  return needsMorePages(held, search) ? 'more pages' : 'nothing';
}

/** Whether the requested page is past the held packages, and there is a token for more. */
export function needsMorePages(
  held: Pick<HeldResults, 'packages' | 'nextToken'>,
  search: HolidaySearch,
): boolean {
  const before = (search.page - 1) * search.perPage;
  return canLoadMore(held) && held.packages.length <= before;
}

/** Whether paging past the held packages fetches more. */
export function canLoadMore({ packages, nextToken }: Pick<HeldResults, 'packages' | 'nextToken'>): boolean {
  return nextToken !== null && packages.length < MAX_HELD;
}

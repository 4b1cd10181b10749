import { airportSelectionKey } from '../../domain/airport.ts';
import type { PackageHoliday } from '../../domain/package-holiday.ts';
import { type SortBy, toPackageSort } from '../../domain/sort-by.ts';
import type { HolidaySearch } from './search-address.ts';

/** The packages that the page holds, and what the server was asked to get them. */
export interface HeldResults {
  /** The search that they answer, whatever its order and page: see `searchKey`. */
  key: string;
  /** The trip that they are packages of, however they are filtered: see `tripKey`. */
  trip: string;
  /** The order in which the server was asked for them. */
  sortBy: SortBy;
  /** In the server's order. */
  packages: readonly PackageHoliday[];
  hasMoreData: boolean;
  /** How many match in all, as the server last said; null where it does not say. */
  count: number | null;
  /** The remembered token of the next hundred, or null at the end. */
  nextToken: string | null;
}

/** What a search needs from the server, given what is held. */
export type Need = 'nothing' | 'a new answer' | 'more pages';

/** However far a visitor pages, or an address says to, the page holds no more packages than about this. */
const MAX_HELD = 2_000;

/** Two searches with one key have the same packages, whatever their order and page. */
export function searchKey(search: HolidaySearch): string {
  return JSON.stringify([tripKey(search), search.boardBasis, search.starRating]);
}

/** Two searches with one trip key have the same form. */
export function tripKey({ destination, departureAirport, date, duration }: HolidaySearch): string {
  const airport = departureAirport && airportSelectionKey(departureAirport);
  return JSON.stringify([destination, airport, date, duration]);
}

/**
 * Sorting and paging run on what is held, with two exceptions (ruling 8). Where the server has more, another
 * order has another first hundred. And 'Recommended' is the server's own order, so packages that were asked
 * for in another order cannot show it.
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

/** Whether the page asked for lies past what is held, and the server has a token for what follows. */
export function needsMorePages(
  held: Pick<HeldResults, 'packages' | 'nextToken'>,
  search: HolidaySearch,
): boolean {
  const before = (search.page - 1) * search.perPage;
  return canLoadMore(held) && held.packages.length <= before;
}

/** Whether paging past what is held fetches more. */
export function canLoadMore({ packages, nextToken }: Pick<HeldResults, 'packages' | 'nextToken'>): boolean {
  return nextToken !== null && packages.length < MAX_HELD;
}

import { dateTimeToMs } from './date-time.ts';
import type { PackageHoliday } from './package-holiday.ts';
import type { PriceScores, SortBy } from './sort-by.ts';

export const PAGE_SIZES = [2, 5, 10] as const;

export const DEFAULT_PAGE_SIZE = 10;

/** One page of the loaded packages. `from` and `to` count from 1. Both are 0 if there are no packages. */
export interface Page {
  items: PackageHoliday[];
  currentPage: number;
  totalPages: number;
  totalResults: number;
  from: number;
  to: number;
}

/** A stably sorted copy. 'default' keeps the server's order. Unreadable values come last. */
export function sortPackages(
  packages: readonly PackageHoliday[],
  sortBy: SortBy,
  scores: PriceScores | null = null,
): PackageHoliday[] {
  const readValue = sortValue(sortBy, scores);
  const direction = sortBy.endsWith('-desc') ? -1 : 1;
  return packages
    .map((holiday) => ({ holiday, value: finiteOrNull(readValue(holiday)) }))
    .sort((one, other) => {
      if (one.value === null || other.value === null) {
        return Number(one.value === null) - Number(other.value === null);
      }
      return direction * (one.value - other.value);
    })
    .map(({ holiday }) => holiday);
}

/** The page with this number, from 1. If it does not exist, the nearest page. */
export function pageOf(packages: readonly PackageHoliday[], page: number, perPage: number): Page {
  const totalResults = packages.length;
  const totalPages = Math.ceil(totalResults / perPage);
  const currentPage = Math.min(Math.max(1, Math.trunc(page) || 1), Math.max(1, totalPages));
  const start = (currentPage - 1) * perPage;
  const items = packages.slice(start, start + perPage);
  return {
    items,
    currentPage,
    totalPages,
    totalResults,
    from: items.length === 0 ? 0 : start + 1,
    to: start + items.length,
  };
}

function sortValue(sortBy: SortBy, scores: PriceScores | null): (holiday: PackageHoliday) => number | null {
  switch (sortBy) {
    case 'default':
      return () => 0;
    case 'price-asc':
    case 'price-desc':
      return ({ PriceDetails }) => PriceDetails.PricePerAdult;
    case 'date-asc':
    case 'date-desc':
      return ({ FlightDetails }) => dateTimeToMs(FlightDetails.Outbound.DepartureDateTime);
    case 'stars-asc':
    case 'stars-desc':
      return ({ HotelDetails }) => HotelDetails.StarRating;
    case 'rating-desc':
      return ({ HotelDetails }) => HotelDetails.ConsumerRating;
    case 'value-desc':
    case 'drop-desc':
      return ({ ItemKey }) => scores?.[sortBy].get(ItemKey) ?? null;
  }
}

function finiteOrNull(value: number | null): number | null {
  return Number.isFinite(value) ? value : null;
}

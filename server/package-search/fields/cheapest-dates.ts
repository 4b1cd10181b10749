import { addDays, dayNumber } from '../../../domain/calendar-date.ts';
import { toPackageQuery, windowOf } from '../query/package-query.ts';
import type { SearchCaller } from '../query/package-repository.ts';
import type { BadInput, Parsed, SearchRequest } from '../query/search-request.ts';
import type { SearchOptions } from './search-packages.ts';

/** Days before and after the requested day. */
const DAYS_EITHER_SIDE = 3;

const DAYS = Array.from({ length: 2 * DAYS_EITHER_SIDE + 1 }, (_, nth) => nth - DAYS_EITHER_SIDE);

/** A departure day's lowest total, in pounds. */
export interface CheapestDate {
  DepartureDate: string;
  TotalPrice: number;
}

/** Answers `cheapestDates` (docs/contracts/graphql.md). */
export type CheapestDates = (
  parsed: Parsed<'cheapestDates'>,
  caller?: SearchCaller,
) => Promise<{ kind: 'dates'; dates: CheapestDate[] } | BadInput>;

/**
 * The cheapest package of each day around `startDate`, for the same trip. Each day is a search for one
 * package, all in one snapshot. Omits days without departures.
 */
export function cheapestDates(
  options: Pick<SearchOptions, 'repository' | 'brandCode' | 'now'>,
): CheapestDates {
  const { repository, brandCode, now } = options;

  return async (parsed, caller) => {
    if (parsed.kind === 'bad-input') return parsed;
    const nowMs = now();
    const { request } = parsed;
    const windows = DAYS.map((days) => moved(request.filters, days));
    const { pages } = await repository.search((catalogue) => {
      const query = toPackageQuery({ ...request, ...ONE_CHEAPEST }, catalogue, {
        brandCode,
        collapse: 'none',
        nowMs,
      });
      if (query === null) return [];
      return windows.map((filters) => {
        const window = windowOf({ ...filters, lastDeparture: null }, nowMs);
        const lastDay = Math.min(window.lastDay, dayNumber(filters.startDate));
        return { ...query, ...window, lastDay, ties: 'any' as const, after: null, knownCount: 1 };
      });
    }, caller);
    const dates = pages.flatMap(({ offers }, nth) => {
      const [cheapest] = offers;
      const departs = windows[nth]?.startDate;
      return cheapest !== undefined && departs !== undefined
        ? [{ DepartureDate: departs, TotalPrice: cheapest.total / 100 }]
        : [];
    });
    return { kind: 'dates', dates };
  };
}

const ONE_CHEAPEST = { sortBy: 'PRICE_ASC', limit: 1 } as const;

function moved(filters: SearchRequest['filters'], days: number): SearchRequest['filters'] {
  const { startDate, endDate } = filters;
  return { ...filters, startDate: addDays(startDate, days), endDate: addDays(endDate, days) };
}

import { addDays, dayNumber } from '../../domain/calendar-date.ts';
import { OFFER } from '../inventory/offer-columns.ts';
import { toPackageQuery } from './package-query.ts';
import type { SearchCaller } from './search-caller.ts';
import type { SearchOptions } from './search-packages.ts';
import { parseSearchRequest, type SearchRequest } from './search-request.ts';

/** Days before and after the requested day. */
const DAYS_EITHER_SIDE = 3;

const DAYS = Array.from({ length: 2 * DAYS_EITHER_SIDE + 1 }, (_, nth) => nth - DAYS_EITHER_SIDE);

/** The lowest price of a departure day, in pounds for the party. */
export interface CheapestDate {
  DepartureDate: string;
  TotalPrice: number;
}

/** Answers `cheapestDates` with its unchecked arguments (docs/contracts/graphql.md). */
export type CheapestDates = (
  variables: unknown,
  caller?: SearchCaller,
) => Promise<
  { kind: 'dates'; dates: CheapestDate[] } | { kind: 'bad-input'; field: string; message: string }
>;

/**
 * The cheapest package of each day around `startDate`, for the same trip otherwise. A day without departures is left
 * out. Each day is a separate search for one package, which the store answers from its key; all of them see one state
 * of the store.
 */
export function cheapestDates(
  options: Pick<SearchOptions, 'repository' | 'brandCode' | 'now'>,
): CheapestDates {
  const { repository, brandCode, now } = options;

  return async (variables, caller) => {
    const parsed = parseSearchRequest(variables);
    if (parsed.kind === 'bad-input') return parsed;
    const nowMs = now();
    const requests = DAYS.map((days) => ({
      ...parsed.request,
      ...ONE_CHEAPEST,
      filters: moved(parsed.request.filters, days),
    }));
    const { pages } = await repository.search(
      (catalogue) =>
        requests.flatMap((request) => {
          const query = toPackageQuery(request, catalogue, { brandCode, collapse: 'none', nowMs });
          // The names are the same on every day, so the queries of all days are null or none is.
          const lastDay = Math.min(query?.lastDay ?? 0, dayNumber(request.filters.startDate));
          return query === null
            ? []
            : [{ ...query, ties: 'any' as const, lastDay, after: null, knownCount: 1 }];
        }),
      caller,
    );
    const dates = pages.flatMap(({ offers }, nth) => {
      const price = offers[0]?.[OFFER.price];
      const departs = requests[nth]?.filters.startDate;
      return typeof price === 'number' && departs !== undefined
        ? [{ DepartureDate: departs, TotalPrice: price / 100 }]
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

import { addDays } from '../../domain/calendar-date.ts';
import { OFFER_COLUMNS } from '../storage/offer-columns.ts';
import { currentCatalogue } from './current-catalogue.ts';
import { toPackageQuestion } from './package-question.ts';
import type { SearchSetting } from './search-packages.ts';
import { parseSearchRequest, type SearchRequest } from './search-request.ts';

/** How many days before and after the day that is asked for are looked at. */
const DAYS_EITHER_SIDE = 3;

const PRICE = OFFER_COLUMNS.indexOf('price');

/** The lowest price of a departure day, in pounds for the party. */
export interface CheapestDate {
  DepartureDate: string;
  TotalPrice: number;
}

/** Answers `cheapestDates` by its unchecked arguments (docs/contracts/graphql.md). */
export type CheapestDates = (
  variables: unknown,
) => Promise<
  { kind: 'dates'; dates: CheapestDate[] } | { kind: 'bad-input'; field: string; message: string }
>;

/**
 * The cheapest package of each day around `startDate`, for the same trip otherwise; a day on which nothing
 * departs is left out. Each day is a search of its own for one package, which the store answers from its key.
 */
export function cheapestDates(
  setting: Pick<SearchSetting, 'repository' | 'brandCode' | 'now'>,
): CheapestDates {
  const { repository, brandCode, now } = setting;
  const current = currentCatalogue(repository);

  return async (variables) => {
    const parsed = parseSearchRequest(variables);
    if (parsed.kind === 'bad-input') return parsed;
    const { catalogue } = await current.asKnown();
    const nowMs = now();
    const dates: CheapestDate[] = [];
    for (let days = -DAYS_EITHER_SIDE; days <= DAYS_EITHER_SIDE; days += 1) {
      const request = { ...parsed.request, ...ONE_CHEAPEST, filters: moved(parsed.request.filters, days) };
      const question = toPackageQuestion(request, catalogue, { brandCode, collapse: 'none', nowMs });
      if (question === null) return { kind: 'dates', dates: [] };
      const { offers } = await repository.search({ ...question, after: null, knownCount: 1 });
      const price = offers[0]?.[PRICE];
      if (typeof price === 'number') {
        dates.push({ DepartureDate: request.filters.startDate, TotalPrice: price / 100 });
      }
    }
    return { kind: 'dates', dates };
  };
}

const ONE_CHEAPEST = { sortBy: 'PRICE_ASC', limit: 1 } as const;

function moved(filters: SearchRequest['filters'], days: number): SearchRequest['filters'] {
  const { startDate, endDate } = filters;
  return { ...filters, startDate: addDays(startDate, days), endDate: addDays(endDate, days) };
}

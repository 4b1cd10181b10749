import { DEFAULT_DURATION, parseDuration } from '../../domain/duration.ts';
import { NO_FLEXIBILITY } from '../../domain/flexibility.ts';
import { NO_FILTERS } from '../../domain/result-filters.ts';
import { DEFAULT_PAGE_SIZE } from '../../domain/sort-and-page.ts';
import type { LowestPrice, PlacePrices } from '../search/place-prices.ts';
import { toSearchUrl } from '../search/search-url.ts';
import type { ChosenExplore } from './use-explore-choice.ts';

/** The URL of the search that finds a price, cheapest first. */
export function resultsUrl(
  { country, region }: Pick<PlacePrices, 'country' | 'region'>,
  { date, nights }: LowestPrice,
  { airport, party }: Pick<ChosenExplore, 'airport' | 'party'>,
): string {
  return toSearchUrl({
    destination: [country, region, ''],
    departureAirport: airport,
    date,
    duration: parseDuration(String(nights)) ?? DEFAULT_DURATION,
    party,
    flexibility: NO_FLEXIBILITY,
    ...NO_FILTERS,
    sortBy: 'price-asc',
    perPage: DEFAULT_PAGE_SIZE,
    page: 1,
  });
}

import { DEFAULT_DURATION, parseDuration } from '../../domain/duration.ts';
import { NO_FILTERS } from '../../domain/result-filters.ts';
import { DEFAULT_PAGE_SIZE } from '../../domain/sort-and-page.ts';
import { toSearchAddress } from '../search/search-address.ts';
import type { LowestPrice, PlacePrices } from './place-prices.ts';
import type { ChosenExplore } from './use-explore-choice.ts';

/** The address of the search that has a price: its place on its day, with its nights, the cheapest first. */
export function resultsAddress(
  { country, region }: Pick<PlacePrices, 'country' | 'region'>,
  { date, nights }: LowestPrice,
  { airport, party }: Pick<ChosenExplore, 'airport' | 'party'>,
): string {
  return toSearchAddress({
    destination: [country, region, ''],
    departureAirport: airport,
    date,
    duration: parseDuration(String(nights)) ?? DEFAULT_DURATION,
    party,
    ...NO_FILTERS,
    sortBy: 'price-asc',
    perPage: DEFAULT_PAGE_SIZE,
    page: 1,
  });
}

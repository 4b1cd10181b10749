import type { Party } from '../../domain/party.ts';
import type { SearchParameters } from '../../domain/search-filters.ts';
import type { SearchService } from './search-service.ts';

/** What the prices of a calendar are for: a trip, on any day. */
export interface PriceRequest {
  service: SearchService & { brandCode: string };
  trip: Omit<SearchParameters, 'date'> & { party: Party };
}

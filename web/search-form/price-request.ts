import type { SearchFormValue } from '../search/search-form-value.ts';
import type { SearchService } from '../search/search-service.ts';

/** What the prices of a calendar are for: the form's trip, on any day. */
export interface PriceRequest {
  service: SearchService & { brandCode: string };
  trip: SearchFormValue;
}

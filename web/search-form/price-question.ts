import type { PriceService } from '../search/fetch-day-prices.ts';
import type { SearchFormValue } from '../search/search-form-value.ts';

/** What the prices of a calendar are for: the form's trip, on any day. */
export interface PriceQuestion {
  service: PriceService & { brandCode: string };
  trip: SearchFormValue;
}

import type { SearchFormValue } from '../search/search-form-value.ts';

/** Whether a destination with a non-blank part and an airport are chosen (Section 5). */
export function isSearchable({ destination, departureAirport }: SearchFormValue): boolean {
  const hasPlace = destination?.tuple.some((part) => part.trim() !== '') ?? false;
  return hasPlace && departureAirport !== null;
}

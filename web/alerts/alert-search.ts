import { MAX_SEARCH_LENGTH } from '../../domain/alert-signup.ts';
import { isFlexible } from '../../domain/flexibility.ts';
import { type HolidaySearch, toSearchUrl } from '../search/search-url.ts';

/** The query of a flexible search, for the links of an alert; undefined for an exact or a very long search. */
export function alertSearch(search: HolidaySearch): string | undefined {
  if (!isFlexible(search.flexibility)) return undefined;
  const [, query] = toSearchUrl(search).split('?');
  const parameters = new URLSearchParams(query);
  for (const name of ['sort', 'size', 'page']) parameters.delete(name);
  const kept = parameters.toString();
  return kept.length <= MAX_SEARCH_LENGTH ? kept : undefined;
}

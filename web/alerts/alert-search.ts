import { MAX_SEARCH_LENGTH } from '../../domain/alert-signup.ts';

/** What makes a search flexible, in its URL (docs/contracts/results-address.md). */
const FLEXIBLE = /[?&](or|flex)=|[?&]nights=\d+-/;

/**
 * The query string for an alert's links, from the URL of a flexible search. Undefined if the search is exact or its
 * query is very long.
 */
export function alertSearch(url: string): string | undefined {
  return FLEXIBLE.test(url) ? searchQuery(url) : undefined;
}

/** The query string of a search's URL without its order and page. Undefined if it is very long. */
export function searchQuery(url: string): string | undefined {
  const parameters = new URLSearchParams(url.slice(url.indexOf('?')));
  for (const name of ['sort', 'size', 'page']) parameters.delete(name);
  const kept = parameters.toString();
  return kept.length <= MAX_SEARCH_LENGTH ? kept : undefined;
}

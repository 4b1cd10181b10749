import { useMemo } from 'react';
// The low-level hooks, because wouter's top-level useSearch decodes the query before it can be parsed.
import { useLocationProperty, useSearch } from 'wouter/use-browser-location';
import { goTo } from '../ui/dialog-history.ts';
import { useIsHydrating } from '../ui/use-is-hydrating.ts';
import { usePath } from '../ui/use-path.ts';
import { type HolidaySearch, parseSearchUrl, type SearchUrl, toSearchUrl } from './search-url.ts';

export interface AddressBar {
  path: string;
  /** The search in the URL; null on other paths than '/results', and during hydration. */
  url: SearchUrl | null;
  /** Whether the form submitted this URL and it has not been opened yet. */
  isSubmitted: boolean;
  isHydrating: boolean;
}

/** The state of a history entry that the form submitted. */
const SUBMITTED = 'submitted';

/** The current URL as a search, kept up to date. */
export function useAddressBar(): AddressBar {
  const path = usePath();
  const query = useSearch({ ssrSearch: '' });
  const isHydrating = useIsHydrating();
  const url = useMemo(
    () => (path === '/results' && !isHydrating ? parseSearchUrl(query) : null),
    [path, query, isHydrating],
  );
  const isSubmitted = useLocationProperty(
    () => history.state === SUBMITTED,
    () => false,
  );
  return { path, url, isSubmitted, isHydrating };
}

/** Goes to the URL of a search, as a new history entry unless it replaces the current one. */
export function showSearch(search: HolidaySearch, options: { replace: boolean }): void {
  goTo(toSearchUrl(search), options);
}

/** Goes to the URL of the form's search. Submitting the current URL again adds no history entry. */
export function submitSearch(search: HolidaySearch): void {
  const url = toSearchUrl(search);
  const isCurrent = url === location.pathname + location.search;
  goTo(url, { replace: isCurrent, state: SUBMITTED });
}

/** Puts the number of the shown page into the URL. */
export function correctPage(page: number): void {
  const url = new URL(location.href);
  url.searchParams.set('page', String(page));
  goTo(url.pathname + url.search, { replace: true });
}

/** Marks the submitted URL as opened: Back, Forward and reloads then open it like any other. */
export function clearSubmitted(): void {
  goTo(location.href, { replace: true });
}

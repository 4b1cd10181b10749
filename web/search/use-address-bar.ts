import { useMemo } from 'react';
// The low-level hooks: wouter's top-level useSearch decodes the query once before it can be parsed.
import { useLocationProperty, useSearch } from 'wouter/use-browser-location';
import { goTo } from '../ui/dialog-history.ts';
import { useIsHydrating } from '../ui/use-is-hydrating.ts';
import { usePath } from '../ui/use-path.ts';
import {
  type HolidaySearch,
  parseSearchAddress,
  type SearchAddress,
  toSearchAddress,
} from './search-address.ts';

export interface AddressBar {
  path: string;
  /** The search that the address carries; null on every path but '/results', and while the page hydrates. */
  address: SearchAddress | null;
  /** Whether the form has submitted this address and it has not been opened yet. */
  isSubmitted: boolean;
  isHydrating: boolean;
}

/** The state of the history entry of an address that the form has submitted. */
const SUBMITTED = 'submitted';

/** The current address as a search, followed as it changes. */
export function useAddressBar(): AddressBar {
  const path = usePath();
  const query = useSearch({ ssrSearch: '' });
  const isHydrating = useIsHydrating();
  const address = useMemo(
    () => (path === '/results' && !isHydrating ? parseSearchAddress(query) : null),
    [path, query, isHydrating],
  );
  const isSubmitted = useLocationProperty(
    () => history.state === SUBMITTED,
    () => false,
  );
  return { path, address, isSubmitted, isHydrating };
}

/** Goes to the address of a search, as a new history entry. */
export function showSearch(search: HolidaySearch): void {
  goTo(toSearchAddress(search));
}

/** Goes to the address of the form's search. Submitting the current address again adds no history entry. */
export function submitSearch(search: HolidaySearch): void {
  const address = toSearchAddress(search);
  const isCurrent = address === location.pathname + location.search;
  goTo(address, { replace: isCurrent, state: SUBMITTED });
}

/** Has the address name the page that is shown. */
export function correctPage(page: number): void {
  const address = new URL(location.href);
  address.searchParams.set('page', String(page));
  goTo(address.pathname + address.search, { replace: true });
}

/** Marks the submitted address as opened: Back, Forward and a reload open it like any other address. */
export function clearSubmitted(): void {
  goTo(location.href, { replace: true });
}

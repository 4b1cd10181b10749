import { sortPackages } from '../../domain/sort-and-page.ts';
import type { SearchState } from '../search/search-state.ts';
import { goTo } from '../ui/dialog-history.ts';

/** The card last scrolled to, so that the page scrolls to each card only once. */
let scrolledTo = '';

/** Marks the card that an alert's link names ('holiday' in the URL) and scrolls to it, on its page of the results. */
export function markHoliday({ results, preferences }: Pick<SearchState, 'results' | 'preferences'>): void {
  const parameters = new URLSearchParams(location.search);
  const wanted = parameters.get('holiday') ?? '';
  const sorted = sortPackages(results?.packages ?? [], preferences.sortBy, results?.scores ?? null);
  const itemKey = closestKey(
    sorted.map(({ ItemKey }) => ItemKey),
    wanted,
  );
  if (itemKey === null) return;
  const page = 1 + Math.floor(sorted.findIndex(({ ItemKey }) => ItemKey === itemKey) / preferences.perPage);
  if (page !== preferences.currentPage && scrolledTo !== wanted) {
    parameters.set('page', String(page));
    goTo(`/results?${parameters.toString().replaceAll('%3A', ':')}`, { replace: true });
    return;
  }
  const card = document.querySelector(`[data-price-analysis="${CSS.escape(itemKey)}"]`)?.closest('article');
  if (card === null || card === undefined) return;
  card.setAttribute('aria-current', 'true');
  if (scrolledTo === wanted) return;
  scrolledTo = wanted;
  card.scrollIntoView({ block: 'center' });
}

/** `wanted`, else the key of another package in its hotel, which may be the cheapest now; null if neither is listed. */
export function closestKey(itemKeys: readonly string[], wanted: string): string | null {
  if (itemKeys.includes(wanted)) return wanted;
  const hotel = hotelOf(wanted);
  return itemKeys.find((itemKey) => hotelOf(itemKey) === hotel) ?? null;
}

/** The first two parts of our server's keys: provider and hotel. */
function hotelOf(itemKey: string): string {
  return itemKey.split(':', 2).join(':');
}
